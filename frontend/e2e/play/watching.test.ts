// Spectators see everything and can do nothing.

import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import { playOut } from '../support/play';
import { expect, test } from '../support/test';
import { converse, roomNow } from '../support/wire';
import { soon } from '../support/wait';

const opening = ['h8', 'i9', 'g7', 'j10'];

test('who comes late sees all of the game, then each move as it falls', async ({ person }) => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  await table(ann, ben, {}, opening);
  // The list of live games leads there.
  await eve.visit('/');
  const live = eve.page.getByRole('link').filter({ hasText: await ann.name() });
  await live.click();
  await eve.sees(opening);
  await eve.reads(words.room.watching);
  for (const one of [ann, ben, eve]) await one.finds(words.room.spectators(1));

  await playOut(ann, ben, [...opening, 'a1', 'a2'], opening.length);
  await eve.sees([...opening, 'a1', 'a2']);
  await eve.page.goto('about:blank');
  await ann.misses(words.room.spectators(1));
});

test('the list of live games shows moves and spectators as they come', async ({ person }) => {
  const [ann, ben, eve, fay] = [await person(), await person(), await person(), await person()];
  const room = await table(ann, ben, {}, opening);
  await eve.visit('/');
  const card = eve.page.locator(`a[href="/room/${room}"]`);
  await soon(async () => expect(await card.locator('circle.black').count()).toBe(2));
  await ann.place('a1');
  await soon(async () => expect(await card.locator('circle.black').count()).toBe(3));
  await fay.visit(`/room/${room}`);
  await card.getByTitle(words.lobby.watching(1)).waitFor();
});

test('a small board shows all of each stone, also in the corners, and all of the clock', async ({ person }) => {
  const clock = { main: 600_000, period: 30_000, periods: 3 };
  const [ann, ben, eve] = [await person(), await person(), await person({ device: 'phone' })];
  const room = await table(ann, ben, { rule: 'standard', size: '25x25', clock }, ['a1', 'y25', 'a25', 'y1']);
  for (const [one, least] of [[ann, 0.5], [eve, 1]] as const) {
    await one.visit('/');
    const card = one.page.locator(`a[href="/room/${room}"]`);
    await soon(async () => expect(await card.locator('circle.black').count()).toBe(2));
    const wrap = (await card.locator('.mini-wrap').boundingBox())!;
    for (const stone of await card.locator('circle.black, circle.white').all()) {
      const { x, y, width, height } = (await stone.boundingBox())!;
      expect(Math.min(x - wrap.x, y - wrap.y, wrap.x + wrap.width - x - width, wrap.y + wrap.height - y - height)).toBeGreaterThan(least);
    }
    const what = card.locator('.card-what');
    expect(await what.textContent()).toContain(words.clock.describe(clock));
    expect(await what.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('whose own game is the only one is not told that nobody plays', async ({ person, ownServer }) => {
  const server = await ownServer();
  const [ann, ben] = [await person({ server }), await person({ server })];
  await table(ann, ben, {}, opening);
  await ann.visit('/');
  await ann.finds(words.lobby.noOtherGames);
  expect(await ann.page.getByText(words.lobby.noGames).isVisible()).toBe(false);
});

test('a game that is no longer live stays whole among one’s own', async ({ person }) => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const room = await table(ann, ben, {}, opening);
  for (const one of [ann, eve]) {
    await one.visit('/');
    await one.page.locator(`a[href="/room/${room}"] .mini`).waitFor();
  }
  await ben.press(words.room.resign);
  await ben.press(words.room.sure.resign.yes);
  await eve.page.locator(`a[href="/room/${room}"]`).waitFor({ state: 'detached' });
  await converse(ann.page, [{ type: 'ping' }]);
  const own = ann.page.locator(`a[href="/room/${room}"]`);
  expect(await own.locator('.mini').count()).toBe(1);
  await own.getByText(words.lobby.over).waitFor();
});

test('a spectator cannot act, whatever it clicks, types or sends', async ({ person }) => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const room = await table(ann, ben, {}, opening);
  await eve.visit(`/room/${room}`);
  await eve.sees(opening);
  await expect(eve.page.getByRole('group', { name: words.room.actions }).getByRole('button').count()).resolves.toBe(0);
  await eve.click('a1');
  await eve.page.getByRole('grid').focus();
  await eve.page.keyboard.type('b2');
  await eve.page.keyboard.press('Enter');

  const acts: object[] = [
    { type: 'place', room, ply: 4, point: 'c3' },
    { type: 'offer', room, what: 'draw' },
    { type: 'accept', room, what: 'takeback' },
    { type: 'resign', room },
    { type: 'abort', room },
    { type: 'claim', room },
  ];
  const [, ...answers] = await converse(eve.page, [{ type: 'join', room }, ...acts]);
  expect(answers.map(({ code }) => code)).toEqual(acts.map(() => 'not_seated'));
  const { state } = await roomNow(eve.page, room);
  expect(state.moves).toEqual(opening);

  await ann.place('a1');
  for (const one of [ann, ben, eve]) await one.sees([...opening, 'a1']);
});
