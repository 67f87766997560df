// The server is killed or stopped, and started again: the pages come back by
// themselves to every move that was stored.

import { setTimeout as pass } from 'node:timers/promises';
import { en as words } from '../../src/text/en';
import { blackWins, fivePlusThree, table } from '../support/games';
import { playOut } from '../support/play';
import type { Person } from '../support/person';
import type { Server } from '../support/server';
import { expect, test, type World } from '../support/test';
import { roomNow } from '../support/wire';
import { soon } from '../support/wait';

const opening = ['h8', 'i9', 'g7'];

async function atTheTable({ person, ownServer }: Pick<World, 'person' | 'ownServer'>): Promise<{ ann: Person; ben: Person; server: Server; room: string }> {
  const server = await ownServer();
  const [ann, ben] = [await person({ server, rough: true }), await person({ server, rough: true })];
  return { ann, ben, server, room: await table(ann, ben, { clock: fivePlusThree }, opening) };
}

test('kill -9 after a move was stored and before its player heard so', async ({ person, ownServer }) => {
  const { ann, ben, server, room } = await atTheTable({ person, ownServer });
  const loaded = await loadedAt(ann, ben);
  ben.line.deafen('down');
  await ben.place('j10');
  await ann.sees([...opening, 'j10']); // so it is stored
  await ben.sending('j10');
  await server.kill();
  ben.line.cut(); // what the server's machine would tell
  await ben.finds(words.line.moveSafe);
  await ann.finds(words.line.safe);
  await server.start();
  ben.line.heal();

  await goesOn(ann, ben, room);
  expect(await loadedAt(ann, ben)).toEqual(loaded);
});

test('kill -9 before a move has reached the server', async ({ person, ownServer }) => {
  const { ann, ben, server, room } = await atTheTable({ person, ownServer });
  const loaded = await loadedAt(ann, ben);
  ben.line.deafen('up');
  await ben.place('j10');
  await ben.sending('j10');
  await server.kill();
  ben.line.cut();
  await ann.finds(words.line.safe);
  await server.start();
  ben.line.heal();

  await goesOn(ann, ben, room);
  expect(await loadedAt(ann, ben)).toEqual(loaded);
});

/** The move is there once for both, and they play to the end. */
async function goesOn(ann: Person, ben: Person, room: string): Promise<void> {
  for (const one of [ann, ben]) await one.sees([...opening, 'j10']);
  expect((await roomNow(ben.page, room)).state.moves).toEqual([...opening, 'j10']);
  const rest = ['f6', 'a1', 'e5', 'a2', 'd4'];
  await playOut(ann, ben, [...opening, 'j10', ...rest], 4);
  await ann.reads(words.result.won);
  await ben.reads(words.result.lost);
}

test('the time that the server was away is taken from no clock', async ({ person, ownServer }) => {
  const { ann, ben, server, room } = await atTheTable({ person, ownServer });
  const view = async (): Promise<{ at: number; left: number; other: number }> => {
    const { now, view: { clocks, spent } } = await roomNow(ann.page, room);
    return { at: now, left: clocks!.white.main - spent!, other: clocks!.black.main };
  };
  const before = await view(); // White is to move
  await server.kill();
  const away = 8_000;
  await pass(away);
  await server.start();
  await ben.finds(/The server was away for \d+ s/);
  await ann.finds(/The server was away for \d+ s/);
  const after = await view();
  // The beats by which the server knows that it was away are seconds apart.
  const beats = 3_000;
  const used = before.left - after.left;
  expect(used).toBeGreaterThan(-1);
  expect(used).toBeLessThan(after.at - before.at - away + beats);
  expect(after.other).toBe(before.other);
  // Both pages show what the server says.
  const [shownToAnn, shownToBen] = [await ann.clock('white'), await ben.clock('white')];
  expect(Math.abs(shownToAnn - shownToBen)).toBeLessThanOrEqual(2);
  expect(Math.abs(shownToAnn - after.left / 1000)).toBeLessThanOrEqual(5);
  await ben.place('j10');
  await ann.sees([...opening, 'j10']);
});

test('a server that is stopped and started again has everybody back, also who watches or waits', async ({ person, ownServer }) => {
  const { ann, ben, server, room } = await atTheTable({ person, ownServer });
  const [eve, fay] = [await person({ server, rough: true }), await person({ server, rough: true })];
  await eve.visit(`/room/${room}`);
  await fay.playNow({ rule: 'caro' });
  await fay.finds(words.lobby.searching);
  const loaded = await loadedAt(ann, ben, eve, fay);
  await server.stop();
  for (const one of [ann, ben, eve]) await one.finds(words.line.safe);
  await ben.place('j10');
  await server.start();
  for (const one of [ann, ben, eve]) await one.sees([...opening, 'j10']);
  await ann.place('a1');
  await eve.sees([...opening, 'j10', 'a1']);

  const gus = await person({ server, rough: true });
  await gus.playNow({ rule: 'caro' });
  expect(await gus.room()).toBe(await fay.room());
  expect(await loadedAt(ann, ben, eve, fay)).toEqual(loaded);
});

test('a bot whose turn it was when the server was killed still answers', async ({ person, ownServer }) => {
  const server = await ownServer();
  const ann = await person({ server, rough: true });
  await ann.playBot({ bot: 'Seven-step', color: 'black', clock: '5 + 3' });
  await ann.myTurn();
  ann.line.deafen('down');
  await ann.click('h8');
  await server.kill();
  ann.line.cut();
  await server.start();
  ann.line.heal();
  await soon(async () => expect(await ann.stones()).toHaveLength(2));
  await ann.place('a1');
  await soon(async () => expect(await ann.stones()).toHaveLength(4));
});

test('a finished game survives as well', async ({ person, ownServer }) => {
  const server = await ownServer();
  const [ann, ben] = [await person({ server, rough: true }), await person({ server, rough: true })];
  const room = await table(ann, ben, {}, blackWins);
  await ben.reads(words.result.lost);
  await server.kill();
  await server.start();
  await ann.press(words.room.rematch);
  await ben.press(words.room.accept);
  await ben.reads(words.room.yourTurnFirst);
  await ben.visit(`/room/${room}/1`);
  await ben.sees(blackWins);
});

function loadedAt(...people: Person[]): Promise<number[]> {
  return Promise.all(people.map(({ page }) => page.evaluate(() => performance.timeOrigin)));
}
