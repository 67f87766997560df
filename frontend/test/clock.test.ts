import { describe, expect, it } from 'vitest';
import { clockText, face, spanText, unlimited } from '../src/clock';

describe('face', () => {
  const fischer = { main: 300_000, increment: 3_000 };
  const byoyomi = { main: 60_000, period: 30_000, periods: 3 };
  const perMove = { period: 30_000, periods: 1 };

  it.each([
    ['runs down', fischer, { main: 200_000 }, 50_000, { left: 150_000, periods: 0, overtime: false, low: false }],
    ['is low under a tenth', fischer, { main: 31_000 }, 2_000, { left: 29_000, periods: 0, overtime: false, low: true }],
    ['never shows less than nothing', fischer, { main: 1_000 }, 5_000, { left: 0, periods: 0, overtime: false, low: true }],
    ['keeps periods for later', byoyomi, { main: 20_000, periods: 3 }, 5_000, { left: 15_000, periods: 3, overtime: false, low: false }],
    ['begins the first period', byoyomi, { main: 20_000, periods: 3 }, 21_000, { left: 29_000, periods: 3, overtime: true, low: false }],
    ['uses up a period', byoyomi, { main: 0, periods: 3 }, 31_000, { left: 29_000, periods: 2, overtime: true, low: false }],
    ['is low at the end of a period', byoyomi, { main: 0, periods: 2 }, 25_000, { left: 5_000, periods: 2, overtime: true, low: true }],
    ['ends with the last period', byoyomi, { main: 0, periods: 1 }, 30_000, { left: 0, periods: 0, overtime: true, low: true }],
    ['is a fixed time per move', perMove, { main: 0, periods: 1 }, 12_000, { left: 18_000, periods: 1, overtime: true, low: false }],
  ])('%s', (_, control, clock, spent, expected) => expect(face(control, clock, spent)).toEqual(expected));
});

it('knows a game without a clock', () => {
  expect(unlimited({})).toBe(true);
  expect(unlimited({ period: 30_000, periods: 1 })).toBe(false);
});

it.each([
  [0, '0:00.0'],
  [9_450, '0:09.4'],
  [9_999, '0:09.9'],
  [10_000, '0:10'],
  [65_999, '1:05'],
  [3_600_000, '1:00:00'],
  [90_061_000, '1d 01h'],
])('clockText(%d) = %s', (ms, text) => expect(clockText(ms)).toBe(text));

it.each([
  [-5, '0:00'],
  [12_999, '0:12'],
  [754_000, '12:34'],
])('spanText(%d) = %s', (ms, text) => expect(spanText(ms)).toBe(text));
