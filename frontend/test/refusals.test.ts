// Whatever the server refuses, both languages have words for it.

import { describe, expect, it } from 'vitest';
import page from '../../docs/protocol.md?raw';
import { refusalWords } from '../src/text';
import { en } from '../src/text/en';
import { zh } from '../src/text/zh';

const sources: Record<string, string> = import.meta.glob(['../../internal/{hub,web}/*.go', '!**/*_test.go'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const server = Object.values(sources).join('\n');

/** What the pattern's group catches, each once. */
const named = (text: string, pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

const codes = named(server, /(?:refuse\(|\bcode: |\bfail\(w, [\w.]+, |\{(?:match|store)\.Err\w+, |farewell\{"\w+", "[^"]+", )"(\w+)"/g);
const limits = named(server, /code: "too_many", text: "[^"]+", limit: "(\w+)"/g);
const [, errors = ''] = page.split('\n## Errors\n');

it('the server is read rightly: what its protocol names is found', () => {
  const cells = named(errors, /^\| ([^|]+) \|/gm).filter((cell) => cell.includes('`'));
  expect(codes).toEqual(expect.arrayContaining(cells.flatMap((cell) => named(cell, /`(\w+)`/g))));
  expect(limits).toEqual(named(/names it \(([^)]+)\)/.exec(errors)?.[1] ?? '', /`(\w+)`/g));
});

describe.each([en, zh])('$code', ({ refusals, limits: reached }) => {
  it('says what every code means, and nothing else', () => expect(Object.keys(refusals).sort()).toEqual(codes));
  it('says which limit was reached', () => expect(Object.keys(reached).sort()).toEqual(limits));
});

it('Chinese readers are told in Chinese', () => {
  for (const text of [...Object.values(zh.refusals), ...Object.values(zh.limits)]) expect(text).toMatch(/\p{Script=Han}/u);
});

describe('a refusal is told', () => {
  it('by its code', () => expect(refusalWords({ code: 'occupied', text: 'There is a stone.' })).toBe(en.refusals.occupied));
  it('by the limit that was reached', () =>
    expect(refusalWords({ code: 'too_many', text: 'Too many.', limit: 'rooms_per_session' })).toBe(en.limits.rooms_per_session));
  it('by its code where the limit is a new one', () =>
    expect(refusalWords({ code: 'too_many', text: 'Too many.', limit: 'moons' })).toBe(en.refusals.too_many));
  it('in the server’s words where the code is a new one', () =>
    expect(refusalWords({ code: 'no_moon', text: 'There is no moon.' })).toBe('There is no moon.'));
});
