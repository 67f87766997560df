import { describe, expect, it } from 'vitest';
import type { Opponent } from '../src/api';
import { knownOr, playerName, sortOut } from '../src/opponents';
import { en } from '../src/text/en';
import { zh } from '../src/text/zh';

const bot = (name: string, rest: Partial<Opponent> = {}): Opponent => ({ name, title: name, about: '', ...rest });
const levels = [10, 2, 3].map((level) => bot(`tengen-${level}`, { level }));
const all = [...levels, bot('seven-step', { elo: 900 }), bot('rapfi', { external: true }), bot('influence', { elo: 490 })];
const names = (some: Opponent[]): string[] => some.map(({ name }) => name);

describe('the opponents', () => {
  it('are levels and characters from the easiest on, and programs from elsewhere', () => {
    const { levels, characters, external } = sortOut(all);
    expect(names(levels)).toEqual(['tengen-2', 'tengen-3', 'tengen-10']);
    expect(names(characters)).toEqual(['influence', 'seven-step']);
    expect(names(external)).toEqual(['rapfi']);
  });
  it.each([
    ['seven-step', all, 'seven-step'],
    ['rapfi', all, 'rapfi'],
    ['tengen-10', all, 'tengen-10'],
    ['', all, 'tengen-3'],
    ['left long ago', all, 'tengen-3'],
    ['left long ago', all.slice(3), 'seven-step'],
    ['', [], ''],
  ])('whoever chose %j last is offered one that is there', (last, bots, offered) => expect(knownOr(last, bots)).toBe(offered));
});

describe('a player', () => {
  it('is called by their own name, whatever it is', () => expect(playerName({ id: 'p', name: 'tengen-3' })).toBe('tengen-3'));
  it('who is a bot without a translation has the name that it was given', () =>
    expect(playerName({ id: 'bot:x', name: 'X the Great', bot: 'x' })).toBe('X the Great'));
});

describe('the Chinese words', () => {
  const chinese = /\p{Script=Han}/u;
  const bots = ['shape-dictionary', 'seven-step', 'look-ahead', 'backtrack', 'influence', ...Array.from({ length: 10 }, (_, i) => `tengen-${i + 1}`)];
  it.each(bots)('present %s', (name) => {
    expect(zh.bots[name]?.title).toMatch(chinese);
    expect(zh.bots[name]?.about).toMatch(chinese);
  });
  it('present nobody else, and nobody twice', () => {
    expect(Object.keys(zh.bots).sort()).toEqual(bots.sort());
    expect(new Set(Object.values(zh.bots).flatMap(({ title, about }) => [title, about])).size).toBe(2 * bots.length);
  });
  it('are the only ones: English is what the server speaks', () => expect(en.bots).toEqual({}));
});
