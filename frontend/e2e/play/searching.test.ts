// One person who searches for an opponent and has several tabs of the same browser open.

import { inject } from 'vitest';
import { en as words } from '../../src/text/en';
import type { GameWish } from '../support/play';
import { startServer } from '../support/server';
import { expect, test } from '../support/test';

/** Long enough for the server to have gone through all who search several times. */
const aWhile = /^(0:0[3-9]|0:[1-5]\d|[1-9]\d*:\d\d)$/;

const ways: { where: string; there: boolean; wish: GameWish }[] = [
  { where: 'where it began', there: false, wish: { rule: 'renju', clock: '5 + 3' } },
  { where: 'in the other tab', there: true, wish: { rule: 'standard', clock: '5 + 3' } },
];

for (const { where, there, wish } of ways) {
  test(`a search that is cancelled ${where} ends in both tabs and leads to no game`, async ({ person }) => {
    const [ann, ben] = [await person(), await person()];
    await ann.playNow(wish);
    await ann.finds(words.lobby.searching);
    const other = await ann.tab('/');
    await other.finds(words.lobby.searching);

    const [caller, told] = there ? [other, ann] : [ann, other];
    await caller.press(words.cancel);
    for (const tab of [caller, told]) await tab.misses(words.lobby.searching);
    await told.visit('/'); // nor does it live on unseen
    await told.misses(words.lobby.searching);

    await ben.playNow(wish);
    await ben.page.getByRole('timer').filter({ hasText: aWhile }).waitFor();
    await ben.finds(words.lobby.searching);
    for (const { page } of [caller, told, ben]) expect(new URL(page.url()).pathname).toBe('/');

    await told.playNow(wish); // and may search again
    expect(await told.room()).toBe(await ben.room());
    expect(new URL(caller.page.url()).pathname).toBe('/');
  });
}

test('a search that is cancelled in the lobby of one tab ends where one reads in the other', async ({ person }) => {
  const ann = await person({ device: 'phone' });
  await ann.playNow({ rule: 'caro', clock: '5 + 3' });
  await ann.finds(words.lobby.searching);
  const reading = await ann.tab('/help');
  const pill = reading.page.getByRole('link', { name: words.lobby.searching });
  await pill.waitFor();
  await ann.press(words.cancel);
  await ann.misses(words.lobby.searching);
  await pill.waitFor({ state: 'hidden' });
  await reading.visit('/');
  await reading.misses(words.lobby.searching);
});

for (const device of ['desktop', 'phone'] as const) {
  test(`a search shows in the tabs that were open before, and only the one that began it goes to the game: ${device}`, async ({ person }) => {
    const [ann, ben] = [await person({ device }), await person()];
    const wish: GameWish = { rule: 'renju', size: device === 'phone' ? '13x13' : '19x19', clock: '5 + 3' };
    await ann.visit('/');
    const reading = await ann.tab('/help');
    const pill = reading.page.getByRole('link', { name: words.lobby.searching });
    const begun = await ann.tab('/');

    await begun.playNow(wish);
    await ann.finds(words.lobby.searching);
    await pill.waitFor();
    await ann.press(words.cancel);
    await begun.misses(words.lobby.searching);
    await pill.waitFor({ state: 'hidden' });

    await begun.playNow(wish);
    await ann.finds(words.lobby.searching);
    await begun.visit('/'); // it is still the one that began it
    await begun.finds(words.lobby.searching);
    await ben.playNow(wish);
    const room = await begun.room();
    expect(await ben.room()).toBe(room);
    await ann.misses(words.lobby.searching);
    await ann.finds(words.lobby.yours);
    expect(await ann.page.locator(`a[href="/room/${room}"]`).count()).toBe(1);
    expect(new URL(ann.page.url()).pathname).toBe('/');

    const found = reading.page.getByRole('link', { name: words.lobby.found });
    await found.click();
    expect(await reading.room()).toBe(room);
    await found.waitFor({ state: 'hidden' });
  });
}

for (const device of ['desktop', 'phone'] as const) {
  test(`who comes sees who waits, and plays them with one click: ${device}`, async ({ person }) => {
    const [ann, ben] = [await person(), await person({ device })];
    const wish: GameWish = { rule: 'caro', size: device === 'phone' ? '9x9' : '19x19', clock: '5 + 3' };
    await ben.visit('/');
    await ann.playNow(wish);
    const waiting = ben.page.getByRole('button', { name: new RegExp(`^${words.rules.caro.title} · ${wish.size?.replace('x', '\\s×\\s')}.*${words.lobby.waitingPlayers(1)}`) });
    await waiting.waitFor();
    expect(await ann.page.getByRole('heading', { name: words.lobby.waiting }).count()).toBe(0); // nobody waits for her
    await ann.press(words.cancel);
    await waiting.waitFor({ state: 'detached' });
    await ann.playNow(wish);
    await waiting.click();
    expect(await ben.room()).toBe(await ann.room());
  });
}

// Nodes share no other store.
if (inject('store') === 'redis') {
  test('a search shows in a tab at another node, which may end it', async ({ person, store }) => {
    const [ann, ben] = [await person(), await person()];
    const wish: GameWish = { rule: 'caro', size: '19x19', clock: '5 + 3' };
    await ann.visit('/');
    const node = await startServer(store);
    try {
      const there = await ann.tab(`http://127.0.0.1:${node.port}/`); // a session is one for all ports
      expect(await there.name()).toBe(await ann.name());
      await ann.playNow(wish);
      await there.finds(words.lobby.searching);
      await there.press(words.cancel);
      await ann.misses(words.lobby.searching);
      await there.playNow(wish);
      await ann.finds(words.lobby.searching);
      await ben.playNow(wish);
      expect(await there.room()).toBe(await ben.room());
      await ann.finds(words.lobby.yours);
      expect(new URL(ann.page.url()).pathname).toBe('/');
      await there.page.close(); // before its node is gone
    } finally {
      await node.kill();
    }
  });
}
