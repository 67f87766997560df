import { expect, it } from 'vitest';
import { wantedByOthers } from '../src/lobby/choices';
import type { Game, Wanted } from '../src/protocol';

const caro: Game = { rule: 'caro', size: '15x15', clock: { main: 180_000, increment: 2_000 } };
const renju: Game = { rule: 'renju', size: '15x15', clock: {}, forbidden: 'loses' };
const waiting: Wanted[] = [
  { game: caro, players: 2 },
  { game: renju, players: 1 },
];

it('who does not search may join everybody who waits', () => expect(wantedByOthers(waiting, null)).toEqual(waiting));

it('who searches does not wait for themselves', () => {
  expect(wantedByOthers(waiting, { ...caro, clock: { increment: 2_000, main: 180_000, periods: 0 } })).toEqual([{ game: caro, players: 1 }, waiting[1]]);
  expect(wantedByOthers(waiting, renju)).toEqual([waiting[0]]);
});

it.each([{ size: '19x19' }, { rule: 'freestyle' as const }, { clock: {} }])('a game is another with %o', (change) =>
  expect(wantedByOthers(waiting, { ...caro, ...change })).toEqual(waiting));

it('renju is another game where forbidden moves are refused', () =>
  expect(wantedByOthers(waiting, { ...renju, forbidden: 'refused' })).toEqual(waiting));
