// Stones without a pointer.

import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

test('a typed point that cannot be played is told of, and nothing is played in its place', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, ['a1', 'i9']);
  const hint = ann.page.locator('.hint[aria-live=polite]');
  await ann.page.getByRole('grid').focus();
  for (const [typed, said] of [['q4', words.board.nowhere('q4')], ['i9', words.board.taken('i9')], ['z', words.board.nowhere('z')]] as const) {
    await ann.page.keyboard.type(typed);
    await ann.page.keyboard.press('Enter');
    await soon(async () => expect(await hint.textContent()).toBe(said));
  }
  await ann.page.keyboard.type('h8');
  await ann.page.keyboard.press('Enter');
  for (const one of [ann, ben]) await one.sees(['a1', 'i9', 'h8']);
  expect(await hint.textContent()).toBe('');
});
