// One person who searches for an opponent and has two tabs of the same browser open.

import { en as words } from '../../src/text/en';
import type { GameWish } from '../support/play';
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
