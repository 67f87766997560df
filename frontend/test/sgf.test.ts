import { describe, expect, it } from 'vitest';
import type { GameRecord } from '../src/api';
import type { Result, TimeControl } from '../src/protocol';
import { sgfOf } from '../src/sgf';

const names = { black: 'Crane', white: 'Otter' };

function sgf(part: Partial<GameRecord> = {}, { black = names.black, white = names.white } = {}): string {
  const record: GameRecord = {
    room: 'r',
    number: 1,
    game: { rule: 'freestyle', size: '15x15', clock: {} },
    black: { id: 'b', name: black },
    white: { id: 'w', name: white },
    moves: [],
    result: { winner: 'black', reason: 'five' },
    started: Date.UTC(2026, 0, 31, 23, 59),
    ...part,
  };
  return sgfOf(record, { black, white });
}

/** The value of a property of the root. */
const valueOf = (text: string, name: string): string | undefined => new RegExp(`(?:\\(;|\\])${name}\\[((?:\\\\.|[^\\]\\\\])*)\\]`).exec(text)?.[1];

it('is a whole file', () => {
  const moves = ['h8', 'i9', 'a1', 'a15', 'o1', 'o15'];
  expect(sgf({ moves, game: { rule: 'renju', size: '15x15', clock: { main: 600_000 }, forbidden: 'loses' } })).toBe(
    '(;FF[4]GM[4]CA[UTF-8]AP[gomokud:1]SZ[15]PB[Crane]PW[Otter]DT[2026-01-31]RE[B+]RU[renju]TM[600]\n' +
      ';B[hh];W[ig];B[ao];W[aa];B[oo];W[oa])\n',
  );
});

it('has ten moves in a line', () => {
  const moves = Array.from({ length: 21 }, (_, i) => `${'abcdefghijklmno'[i % 15]}${i < 15 ? 1 : 2}`);
  expect(sgf({ moves }).split('\n').map((line) => line.split(';').length - 1)).toEqual([1, 10, 10, 1, 0]);
});

describe('the board', () => {
  it.each([
    ['15x15', '15', 'h8', 'hh'],
    ['19x19', '19', 'a19', 'aa'],
    ['5x5', '5', 'e1', 'ee'],
    ['25x25', '25', 'y1', 'yy'],
    ['25x25', '25', 'y25', 'ya'],
    ['25x5', '25:5', 'y1', 'ye'],
    ['5x25', '5:25', 'a1', 'ay'],
    ['17x13', '17:13', 'q13', 'qa'],
    ['15x15', '15', 'pass', ''],
  ])('%s: SZ[%s], %s is [%s]', (size, written, move, point) => {
    const text = sgf({ moves: [move], game: { rule: 'renju', size, clock: {} } });
    expect(valueOf(text, 'SZ')).toBe(written);
    expect(text).toContain(`\n;B[${point}])`);
  });
});

describe('the result', () => {
  it.each<[string, Result | null]>([
    ['B+', { winner: 'black', reason: 'five' }],
    ['W+', { winner: 'white', reason: 'five' }],
    ['B+R', { winner: 'black', reason: 'resignation' }],
    ['W+T', { winner: 'white', reason: 'time' }],
    ['W+F', { winner: 'white', reason: 'foul', foul: 'double-three' }],
    ['B+F', { winner: 'black', reason: 'abandonment' }],
    ['0', { reason: 'agreement' }],
    ['0', { reason: 'passes' }],
    ['0', { reason: 'full' }],
    ['Void', { reason: 'aborted' }],
    ['?', null],
  ])('%s', (written, result) => expect(valueOf(sgf({ result }), 'RE')).toBe(written));
});

describe('the time', () => {
  it.each<[string | undefined, string | undefined, TimeControl]>([
    [undefined, undefined, {}],
    ['600', undefined, { main: 600_000 }],
    ['300', '3 fischer', { main: 300_000, increment: 3_000 }],
    ['90.5', '2.5 fischer', { main: 90_500, increment: 2_500 }],
    ['1200', '5x30 byo-yomi', { main: 1_200_000, periods: 5, period: 30_000 }],
    ['0', '5 fischer', { increment: 5_000 }],
    ['0', '1x20 byo-yomi', { periods: 1, period: 20_000 }],
  ])('TM[%s] OT[%s]', (main, over, clock) => {
    const text = sgf({ game: { rule: 'caro', size: '15x15', clock } });
    expect([valueOf(text, 'TM'), valueOf(text, 'OT')]).toEqual([main, over]);
  });
});

describe('a name', () => {
  it.each([
    ["O'Neil_2.0", "O'Neil_2.0"],
    ['电脑 3 级', '电脑 3 级'],
    ['a]b', 'a\\]b'],
    ['a\\', 'a\\\\'],
    ['[x\\]', '[x\\\\\\]'],
  ])('%s', (name, written) => {
    expect(valueOf(sgf({}, { black: name }), 'PB')).toBe(written);
    expect(valueOf(sgf({}, { white: name }), 'PW')).toBe(written);
  });
});
