// After a game: look through it, take it elsewhere.

import { en as words } from '../../src/text/en';
import { blackWins, table } from '../support/games';
import { expect, test } from '../support/test';

test('a game is looked through with the keyboard, also while it goes on', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, blackWins.slice(0, 4));
  await ben.page.keyboard.press('ArrowLeft');
  await ben.sees(blackWins.slice(0, 3));
  await ann.place('j8');
  await ben.sees(blackWins.slice(0, 3)); // whoever looks back is left there
  await ben.press(words.room.back);
  await ben.sees(blackWins.slice(0, 5));

  await ben.press(words.room.resign);
  await ben.press(words.room.sure.resign.yes);
  await ann.reads(words.result.won);
  const shown = async (moves: number): Promise<void> => ann.sees(blackWins.slice(0, moves));
  await ann.page.keyboard.press('Home');
  await shown(0);
  for (const moves of [1, 2]) {
    await ann.page.keyboard.press('ArrowRight');
    await shown(moves);
  }
  await ann.page.keyboard.press('ArrowLeft');
  await shown(1);
  await ann.page.keyboard.press('End');
  await shown(5);
  await ann.press(words.replay.previous);
  await shown(4);
  await ann.page.getByLabel(words.replay.slider).fill('2');
  await shown(2);
});

for (const device of ['desktop', 'phone'] as const) {
  test(`who presses the board while looking back is back in the game, and has played nothing: ${device}`, async ({ person }) => {
    const [ann, ben] = [await person({ device }), await person()];
    const opening = blackWins.slice(0, 4);
    await table(ann, ben, {}, opening);
    await ann.press(words.replay.first);
    await ann.sees([]);
    const { x, y } = await ann.spot('c3');
    await (device === 'phone' ? ann.page.touchscreen.tap(x, y) : ann.page.mouse.click(x, y));
    await ann.sees(opening);
    expect(await ann.button(words.room.back).isVisible()).toBe(false);
    expect(await ann.cell('c3').getAttribute('aria-label')).toBe(`c3, ${words.board.empty}`);
    await ann.page.locator('[role=log]', { hasText: words.replay.of(4, 4) }).waitFor({ state: 'attached' });
    // Who only watches looks at whatever they like.
    const eve = await person();
    await eve.visit(new URL(ann.page.url()).pathname);
    await eve.press(words.replay.first);
    await eve.sees([]);
    await eve.click('c3');
    await eve.sees([]);
  });
}

test('a copied link of game and move opens just there', async ({ person }) => {
  const [ann, ben, eve] = [await person({ context: { permissions: ['clipboard-read', 'clipboard-write'] } }), await person(), await person()];
  const room = await table(ann, ben, {}, blackWins);
  await ann.reads(words.result.won);
  for (const _ of [1, 2]) await ann.page.keyboard.press('ArrowLeft');
  await ann.press(words.replay.copyLink);
  await ann.finds(words.copied);
  const link = new URL(await ann.page.evaluate(() => navigator.clipboard.readText()));
  expect(link.pathname + link.search).toBe(`/room/${room}/1?move=7`);

  await eve.visit(link.pathname + link.search);
  await eve.sees(blackWins.slice(0, 7));
  await eve.finds(await ann.name());
  await eve.page.keyboard.press('End');
  await eve.sees(blackWins);
  expect(await eve.cell('h8').getAttribute('aria-label')).toContain(words.board.winning);

  await ann.press(words.replay.copyPosition);
  expect(await ann.page.evaluate(() => navigator.clipboard.readText())).toBe(blackWins.slice(0, 7).join(''));
});

test('a position opens from its address alone', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await ann.visit(`/position/15x15/standard/${blackWins.join('')}?move=3`);
  await ann.sees(blackWins.slice(0, 3));
  await ann.reads(words.position.turn(words.white));
  await ann.page.keyboard.press('End');
  await ann.reads(words.result.wins(words.black));
  await ben.visit('/position/15x15/standard');
  await ben.sees([]);
});

test('an address that leads nowhere says so and leads back', async ({ person }) => {
  const ann = await person({ refused: 404 });
  await ann.visit('/nothing/here');
  await ann.finds(words.notFound.heading);
  await ann.page.getByRole('link', { name: words.notFound.home }).click();
  await ann.finds(words.lobby.heading);
  await ann.visit('/room/doesNotExist');
  await ann.finds(words.room.missing);
});
