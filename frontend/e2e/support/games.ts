// Games that many scenarios need.

import { expect } from 'vitest';
import type { FinishedGame } from '../../src/played';
import type { Game, TimeControl } from '../../src/protocol';
import type { Person } from './person';
import { soon } from './wait';
import { converse } from './wire';

/** Five black stones in a row, white ones in the way of nothing. */
export const blackWins = ['h8', 'a1', 'i8', 'a2', 'j8', 'a3', 'k8', 'a4', 'l8'];

export const fivePlusThree: TimeControl = { main: 300_000, increment: 3_000 };

/**
 * Both look at a table of theirs where these moves have been played. That happens over
 * sockets of their own: how people meet at a table and play is the matter of other
 * scenarios.
 */
export async function table(black: Person, white: Person, game: Partial<Game> = {}, moves: string[] = []): Promise<string> {
  await Promise.all([black.visit('/help'), white.visit('/help')]);
  const whole: Game = { rule: 'freestyle', size: '15x15', clock: {}, ...game };
  const [created] = await converse(black.page, [{ type: 'create', game: whole, color: 'black' }]);
  const room = String(created?.room);
  await converse(white.page, [{ type: 'join', room }, { type: 'sit', room }]);
  for (const [ply, point] of moves.entries()) {
    await converse((ply % 2 === 0 ? black : white).page, [{ type: 'join', room }, { type: 'place', room, ply, point }]);
  }
  await Promise.all([black.visit(`/room/${room}`), white.visit(`/room/${room}`)]);
  for (const one of [black, white]) {
    await one.sees(moves);
    await soon(async () => expect(await one.player('white').textContent()).toContain(await white.name()));
  }
  return room;
}

/** As if these had been finished in this browser, which a page shows once it is loaded again. */
export async function rememberGames({ page }: Person, games: Partial<FinishedGame>[]): Promise<void> {
  const game: FinishedGame = { room: 'r', number: 1, opponent: { id: 'x', name: 'Otter' }, outcome: 'won', rule: 'freestyle', size: '15x15', at: Date.now() };
  const finished = games.map((part) => ({ ...game, ...part }));
  await page.evaluate((text) => localStorage.setItem('gomokud.played', text), JSON.stringify({ finished }));
}
