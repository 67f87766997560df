// Every page and dialog, in light and dark, on a desktop and a phone, without serious
// findings of axe.

import type { FinishedGame } from '../../src/played';
import { en as words } from '../../src/text/en';
import { blackWins, fivePlusThree, rememberGames, table } from '../support/games';
import { playOut } from '../support/play';
import { describe, expect, test } from '../support/test';
import { look } from './look';

const middle = ['h8', 'i9', 'g7', 'f6', 'i7', 'h6', 'g8', 'j8', 'g9', 'g10', 'j7'];
const beforeDoubleThree = ['g8', 'a1', 'i8', 'a15', 'h7', 'o1', 'h9', 'o15'];

const lastGames: Partial<FinishedGame>[] = [
  { room: 'r1', opponent: { id: 'p', name: 'Quiet Crane' } },
  { room: 'r2', opponent: { id: 'l', name: 'Level 10', bot: 'tengen-10' }, outcome: 'lost', rule: 'renju' },
  { room: 'r3', opponent: { id: 'w', name: 'WWWWWWWWWWWWWWWWWWWW' }, outcome: 'drawn', size: '25x19', at: Date.UTC(2026, 0, 31) },
  { room: 'r4', opponent: { id: 's', name: 'Shape dictionary', bot: 'shape-dictionary' }, outcome: 'lost', rule: 'caro' },
  { room: 'r5', opponent: { id: 'o', name: 'Otter' }, rule: 'standard', at: Date.UTC(2025, 11, 24) },
  { room: 'r6', opponent: { id: 'x', name: 'Amber Otter' } },
];

for (const device of ['desktop', 'phone'] as const) {
  describe(device, () => {
    test('the lobby and its dialogs', async ({ person, ownServer }) => {
      const server = await ownServer(); // where nobody has played yet
      const [ann, ben, eve] = [await person({ server }), await person({ server }), await person({ server, device })];
      const found: string[] = [];
      await eve.visit('/');
      await eve.finds(words.lobby.noGames);
      found.push(...(await look(eve, device, 'lobby empty')));
      await table(ann, ben, { clock: fivePlusThree }, middle);
      await table(await person({ server }), await person({ server }), { rule: 'caro', size: '19x19' }, middle);
      await rememberGames(eve, lastGames);
      await eve.visit('/');
      await eve.page.getByRole('link').filter({ hasText: await ann.name() }).waitFor();
      await ann.playNow({ rule: 'renju', forbidden: 'refused', clock: '5 + 3' });
      await eve.finds(words.lobby.waiting);
      found.push(...(await look(eve, device, 'lobby')));
      for (const way of [words.lobby.playNow, words.lobby.friend, words.lobby.computer]) {
        await eve.page.getByRole('button', { name: way }).click();
        await eve.dialog.waitFor();
        found.push(...(await look(eve, device, way)));
        await eve.page.keyboard.press('Escape');
      }
      await eve.page.getByRole('button', { name: words.lobby.playNow }).click();
      await eve.choices(words.lobby.playNow, { rule: 'renju', size: '17x13', secondsPerMove: 20 });
      found.push(...(await look(eve, device, 'custom choices')));
      await eve.dialog.getByRole('button', { name: words.lobby.start }).click();
      await eve.finds(words.lobby.searching);
      found.push(...(await look(eve, device, 'searching')));
      await eve.press(words.nav.settings);
      found.push(...(await look(eve, device, 'settings')));
      await eve.page.keyboard.press('Escape');
      await eve.page.getByRole('button', { name: /^You are/ }).click();
      await eve.press(words.person.deviceButton);
      found.push(...(await look(eve, device, 'person')));
      const link = new URL(await eve.dialog.getByLabel(words.person.device).inputValue());
      await eve.page.goto(link.pathname);
      found.push(...(await look(eve, device, 'another device')));
      expect(found).toEqual([]);
    });

    test('a table from the free seat to the end', async ({ person }) => {
      const [ann, ben, eve] = [await person({ device, rough: true }), await person({ rough: true }), await person({ device })];
      const found: string[] = [];
      await ann.playFriend({ color: 'black', clock: '5 + 3' });
      const room = await ann.room();
      await ann.finds(words.room.waitingAbout);
      found.push(...(await look(ann, device, 'waiting for a friend')));
      await ben.visit(`/room/${room}`);
      await eve.visit(`/room/${room}`);
      if (device === 'phone') {
        await ann.press(words.nav.settings);
        await ann.choose(words.settings.placing, words.settings.placings.direct);
        await ann.page.keyboard.press('Escape');
      }
      await playOut(ann, ben, middle);
      found.push(...(await look(ann, device, 'table, their turn')));
      await ben.place('a1');
      await ann.myTurn();
      found.push(...(await look(ann, device, 'table, my turn')));
      found.push(...(await look(eve, device, 'watching')));
      await ben.press(words.room.takeback);
      await ben.press(words.room.draw);
      await ann.finds(words.room.drawAsked(await ben.name()));
      await ann.press(words.room.resign);
      found.push(...(await look(ann, device, 'offers and resigning')));
      await ann.press(words.room.sure.resign.no);
      ann.line.cut();
      await ann.finds(words.line.safe);
      await ann.place('a2');
      await ann.sending('a2');
      found.push(...(await look(ann, device, 'reconnecting with a move')));
      ann.line.heal();
      await ben.sees([...middle, 'a1', 'a2']);
      ben.line.cut();
      await ann.finds(new RegExp(`${await ben.name()} has been away for`));
      found.push(...(await look(ann, device, 'opponent away')));
      ben.line.heal();
      await ben.place('b1');
      await ann.place('k7');
      await ben.place('b2');
      await ann.page.keyboard.press('ArrowLeft');
      await ann.button(words.room.back).waitFor();
      found.push(...(await look(ann, device, 'looking back')));
      await ann.press(words.room.back);
      await ann.press(words.room.resign);
      await ann.press(words.room.sure.resign.yes);
      await ben.reads(words.result.won);
      await ben.press(words.room.rematch);
      await ann.finds(words.room.rematchAsked(await ben.name()));
      found.push(...(await look(ann, device, 'resigned, rematch asked')));
      expect(found).toEqual([]);
    });

    test('renju, a won game, its record, positions and texts', async ({ person }) => {
      const [ann, ben, eve] = [await person(), await person(), await person({ device, refused: 404 })];
      const found: string[] = [];
      const renju = await table(ann, ben, { rule: 'renju' }, beforeDoubleThree);
      await eve.visit(`/room/${renju}`);
      await eve.sees(beforeDoubleThree);
      found.push(...(await look(eve, device, 'renju')));
      const won = await table(ann, ben, {}, blackWins);
      await eve.visit(`/room/${won}`);
      await eve.reads(words.result.wins(words.black));
      found.push(...(await look(eve, device, 'over')));
      await eve.visit(`/room/${won}/1?move=5`);
      await eve.sees(blackWins.slice(0, 5));
      found.push(...(await look(eve, device, 'record')));
      await eve.visit(`/position/19x19/renju/${middle.join('')}`);
      await eve.sees(middle);
      found.push(...(await look(eve, device, 'position')));
      await eve.visit('/help');
      await eve.finds(words.help.heading);
      found.push(...(await look(eve, device, 'help')));
      await eve.visit('/nothing');
      await eve.finds(words.notFound.heading);
      found.push(...(await look(eve, device, 'not found')));
      await eve.visit('/room/noSuchRoom');
      await eve.finds(words.room.missing);
      found.push(...(await look(eve, device, 'no such table')));
      expect(found).toEqual([]);
    });
  });
}

test('a table on a phone on its side, asked whether to pass, and over; its record, and the lobby', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone', context: { viewport: { width: 844, height: 390 } } }), await person()];
  const found: string[] = [];
  const room = await table(ann, ben, { rule: 'renju', size: '19x19', clock: fivePlusThree }, ['h8', 'i9']);
  await ann.press(words.room.pass);
  found.push(...(await look(ann, 'phone on its side', 'asked whether to pass')));
  await ann.press(words.room.sure.pass.yes);
  await ben.press(words.room.resign);
  await ben.press(words.room.sure.resign.yes);
  await ann.reads(words.result.won);
  found.push(...(await look(ann, 'phone on its side', 'won')));
  await ann.visit(`/room/${room}/1`);
  const toTable = await ann.page.getByRole('link', { name: words.room.toTable }).boundingBox();
  expect(toTable!.x + toTable!.width).toBeLessThan(844);
  found.push(...(await look(ann, 'phone on its side', 'record')));
  await rememberGames(ann, lastGames);
  await ann.visit('/');
  await ann.finds(words.lobby.lastGames);
  found.push(...(await look(ann, 'phone on its side', 'lobby')));
  expect(found).toEqual([]);
});
