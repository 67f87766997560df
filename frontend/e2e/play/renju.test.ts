// Renju: the points that Black must leave are shown, and explained.

import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import { playOut } from '../support/play';
import { expect, test } from '../support/test';

// h8 would make two open threes.
const beforeDoubleThree = ['g8', 'a1', 'i8', 'a15', 'h7', 'o1', 'h9', 'o15'];

test('a forbidden point is shown to both, warned of, and loses when it is played', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju' }, beforeDoubleThree);
  const why = words.board.forbidden(words.fouls['double-three']);
  for (const one of [ann, ben]) {
    expect(await one.cell('h8').getAttribute('aria-label')).toContain(why);
    expect(await one.page.locator('.board path.forbidden').count()).toBe(1);
  }
  await ann.place('h8');
  await ann.finds(words.board.foulHint('h8', words.fouls['double-three']));
  await ben.sees(beforeDoubleThree);
  await ann.click('h8');
  await ann.reads(words.result.lost);
  await ben.reads(words.result.won);
  for (const one of [ann, ben]) await one.reads(`${await ann.name()} played a forbidden point: ${words.fouls['double-three']}`);
  await ben.sees([...beforeDoubleThree, 'h8']);
});

test('where it is not accepted, a forbidden point cannot be played at all', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju', forbidden: 'refused' }, beforeDoubleThree);
  for (const one of [ann, ben]) await one.page.locator('.info-what', { hasText: words.room.refusesForbidden }).waitFor();
  await ann.place('h8');
  await ann.finds(words.board.foulRefused('h8', words.fouls['double-three']));
  await ann.click('h8');
  await playOut(ann, ben, [...beforeDoubleThree, 'f7', 'a8'], beforeDoubleThree.length);
});

test('two passes in a row are a draw', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju' }, ['h8', 'i9']);
  await ann.press(words.room.pass);
  await ann.press(words.room.sure.pass.yes);
  await ben.reads(words.room.passed(words.black));
  await ben.press(words.room.pass);
  await ben.press(words.room.sure.pass.yes);
  for (const one of [ann, ben]) await one.reads(words.result.why('passes', '', '', ''));
});

test('the crosses can be switched off', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju' }, beforeDoubleThree);
  await ann.press(words.nav.settings);
  await ann.dialog.getByLabel(words.settings.forbidden).uncheck();
  await ann.page.keyboard.press('Escape');
  expect(await ann.page.locator('.board path.forbidden').count()).toBe(0);
  expect(await ben.page.locator('.board path.forbidden').count()).toBe(1);
});
