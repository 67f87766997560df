// Finding one's finished games again, and taking them away.

import type { Page } from 'playwright-core';
import { en as words } from '../../src/text/en';
import { blackWins, fivePlusThree, rememberGames, table } from '../support/games';
import { playOut, type Play } from '../support/play';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

type Visitor = Play & { page: Page };

const won = words.lobby.outcomes.won;
const lost = words.lobby.outcomes.lost;
const drawn = words.lobby.outcomes.drawn;

/** The list in the lobby: each game as its opponent, what is played, and the outcome. */
async function lists({ page }: Visitor, games: [string, string, string][]): Promise<void> {
  const entries = page.locator('.last-games .entry');
  await soon(async () => {
    const texts = await entries.evaluateAll((all) =>
      all.map((one) => ['.entry-name', '.entry-words > span', '.outcome'].map((part) => one.querySelector(part)?.textContent?.trim() ?? '')),
    );
    const plain = texts.map(([opponent, what = '', outcome]) => [opponent, what.replaceAll('\u00a0', ' ').replace(/ · \d+ minutes? ago$/, ''), outcome]);
    expect(plain).toEqual(games);
  });
}

async function downloaded({ page, press }: Visitor): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press(words.replay.sgf)]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') };
}

test('a game is played, found again in the lobby, and taken away as a file', async ({ person }) => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  await ann.visit('/');
  expect(await ann.page.getByText(words.lobby.lastGames).count()).toBe(0);
  const moves = ['a1', 'a5', 'b1', 'b5', 'c1', 'd5', 'd1', 'g5', 'e1'];
  const room = await table(ann, ben, { rule: 'renju', size: '7x5', clock: fivePlusThree }, moves.slice(0, 6));
  await eve.visit(`/room/${room}`);
  const second = await ann.tab(`/room/${room}`);
  await playOut(ann, ben, moves, 6);
  await Promise.all([ann.reads(words.result.won), second.reads(words.result.won), eve.reads(words.result.wins(words.black))]);
  const atTheTable = await downloaded(ann);

  const [annsName, bensName] = [await ann.name(), await ben.name()];
  const what = 'Renju · 7 × 5';
  for (const visitor of [ann, ben, eve, second]) await visitor.page.getByRole('link', { name: words.nav.play }).click();
  await lists(ann, [[bensName, what, won]]);
  await lists(second, [[bensName, what, won]]);
  await lists(ben, [[annsName, what, lost]]);
  await eve.finds(words.lobby.live);
  await lists(eve, []);

  await ann.page.getByRole('link', { name: won }).click();
  await ann.sees(moves);
  expect(new URL(ann.page.url()).pathname).toBe(`/room/${room}/1`);
  const began = await ann.page.locator('.info time').getAttribute('datetime');
  const file = await downloaded(ann);
  expect(file).toEqual({
    name: `gomokud-${room}-1.sgf`,
    text:
      `(;FF[4]GM[4]CA[UTF-8]AP[gomokud:1]SZ[7:5]PB[${annsName}]PW[${bensName}]DT[${began?.slice(0, 10)}]RE[B+]RU[renju]TM[300]OT[3 fischer]\n` +
      ';B[ae];W[aa];B[be];W[ba];B[ce];W[da];B[de];W[ga];B[ee])\n',
  });
  expect(atTheTable).toEqual(file);
  await ann.visit(`/position/15x15/renju/${blackWins.join('')}`); // which is no game
  expect(await ann.button(words.replay.sgf).count()).toBe(0);
});

test('a rematch is a game of its own, and an aborted one is none', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  const room = await table(ann, ben, {}, blackWins);
  await ann.press(words.room.rematch);
  await ben.press(words.room.accept);
  await ben.place('h8'); // the colours are swapped
  await ann.place('a1');
  await ann.press(words.room.takeback);
  await ben.press(words.room.accept);
  await ann.place('a2');
  await ben.place('h9');
  await ben.press(words.room.draw);
  await ann.press(words.room.accept);
  await ann.reads(words.result.drawn);
  await ann.press(words.room.rematch);
  await ben.press(words.room.accept);
  await ann.myTurn();
  await ann.press(words.room.abort);
  await ben.reads(words.result.noResult);
  for (const [one, other, outcome] of [[ann, ben, won], [ben, ann, lost]] as const) {
    await one.visit('/');
    await lists(one, [
      [await other.name(), 'Freestyle · 15 × 15', drawn],
      [await other.name(), 'Freestyle · 15 × 15', outcome],
    ]);
  }
  await ann.page.getByRole('link', { name: drawn }).click();
  await ann.sees(['h8', 'a2', 'h9']);
  expect(new URL(ann.page.url()).pathname).toBe(`/room/${room}/2`);
});

test('a game that ended while one was away is in the list all the same', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, blackWins.slice(0, 4));
  await ann.page.goto('about:blank');
  await ben.press(words.room.resign);
  await ben.press(words.room.sure.resign.yes);
  await ben.reads(words.result.lost);
  await ann.visit('/');
  await lists(ann, [[await ben.name(), 'Freestyle · 15 × 15', won]]);
});

test('a game against the computer is in the list', async ({ person }) => {
  const ann = await person();
  await ann.playBot({ bot: 'Level 2', color: 'black', size: '19x19' });
  await ann.place('h8');
  await ann.myTurn();
  await ann.press(words.room.resign);
  await ann.press(words.room.sure.resign.yes);
  await ann.reads(words.result.lost);
  await ann.visit('/');
  await lists(ann, [['Level 2', 'Freestyle · 19 × 19', lost]]);
});

test('a long name makes the lobby of a phone no wider', async ({ person }) => {
  const ann = await person({ device: 'phone' });
  await ann.visit('/');
  const name = 'W'.repeat(20);
  await rememberGames(ann, [{ opponent: { id: 'w', name } }, { opponent: { id: 'b', name, bot: 'a-program' } }]);
  await ann.visit('/');
  await ann.finds(words.lobby.lastGames);
  expect(await ann.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  for (const entry of await ann.page.locator('.last-games .entry').all()) {
    const [name, outcome] = [await entry.locator('.entry-name').boundingBox(), await entry.locator('.outcome').boundingBox()];
    expect(name!.x + name!.width).toBeLessThanOrEqual(outcome!.x);
  }
});

test('five games are shown at first, and all on request', async ({ person }) => {
  const ann = await person({ refused: 404 });
  await ann.visit('/');
  await rememberGames(ann, Array.from({ length: 8 }, (_, i) => ({ room: `gone${i}`, rule: 'caro' })));
  await ann.visit('/');
  const game: [string, string, string] = ['Otter', `${words.rules.caro.title} · 15 × 15`, won];
  await lists(ann, Array(5).fill(game));
  await ann.button(words.lobby.allGames(8)).focus();
  await ann.page.keyboard.press('Enter');
  await lists(ann, Array(8).fill(game));
  await ann.page.keyboard.press('Enter'); // who came with the keyboard is at the sixth
  await ann.finds(words.room.missingAbout);
  expect(new URL(ann.page.url()).pathname).toBe('/room/gone5/1');
});

test('a list in another tab is told of a game that ends', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, blackWins.slice(0, 8));
  const lobby = await ann.tab('/');
  await lists(lobby, []);
  await ann.place(blackWins[8]!);
  await lists(lobby, [[await ben.name(), 'Freestyle · 15 × 15', won]]);
});
