// A person plays the computer.

import { en as words } from '../../src/text/en';
import { expect, test } from '../support/test';
import { patience, soon } from '../support/wait';

test('after the game there is another opponent at hand', async ({ person }) => {
  const ann = await person();
  await ann.playBot({ bot: 'Level 2', color: 'black' });
  const first = await ann.room();
  await ann.place('h8');
  await ann.press(words.room.resign);
  await ann.press(words.room.sure.resign.yes);
  await ann.reads(words.result.lost);
  const another = ann.page.getByRole('link', { name: words.room.another });
  await another.click();
  await ann.dialog.waitFor();
  expect(await ann.opponent('Level 2').isChecked()).toBe(true);
  expect(new URL(ann.page.url()).search).toBe(''); // a reload shows the lobby alone
  await ann.opponent('Level 1').check();
  await ann.dialog.getByRole('button', { name: words.lobby.startBot }).click();
  await ann.myTurn();
  expect(await ann.room()).not.toBe(first);
  expect(await ann.player('white').textContent()).toContain('Level 1');
});

for (const bot of ['Seven-step', 'Shape dictionary']) {
  test(`${bot} answers each move and gives moves back in pairs`, async ({ person }) => {
    const ann = await person();
    await ann.playBot({ bot, color: 'black' });
    await ann.place('h8');
    await ann.myTurn();
    const [, first = ''] = await ann.stones();
    expect(first).toMatch(/^[a-o]\d+$/);

    const second = first === 'a1' ? 'b1' : 'a1';
    await ann.place(second);
    await soon(async () => expect(await ann.stones()).toHaveLength(4));
    await ann.press(words.room.takeback);
    await ann.sees(['h8', first]);
    await ann.place('o15');
    await soon(async () => expect(await ann.stones()).toHaveLength(4));
    expect((await ann.stones()).slice(0, 3)).toEqual(['h8', first, 'o15']);
  });

  test(`${bot} begins when asked to, and wins against nonsense`, async ({ person }) => {
    const ann = await person();
    await ann.playBot({ bot, color: 'white' });
    // Along the upper edge, no two together: nothing that ever has to be stopped.
    const nonsense = ['a15', 'c15', 'e15', 'g15', 'i15', 'k15', 'm15', 'o15', 'a1', 'c1', 'e1', 'g1', 'i1', 'k1'];
    for (const point of nonsense) {
      await ann.page.locator('.table[data-phase=over], .board.playable').first().waitFor({ timeout: patience });
      if ((await ann.page.locator('.table[data-phase=over]').count()) > 0) break;
      if (!(await ann.stones()).includes(point)) await ann.place(point);
    }
    await ann.reads(words.result.lost);
    await ann.press(words.room.rematch);
    await ann.reads(words.room.yourTurnFirst); // the colours are swapped
    await ann.place('h8');
    await soon(async () => expect(await ann.stones()).toHaveLength(2));
  });
}
