// Who one is, and how one likes it.

import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

test('settings hold at once and after a reload', async ({ person }) => {
  const ann = await person();
  await ann.visit('/');
  await ann.press(words.nav.settings);
  await ann.choose(words.settings.theme, words.settings.themes.dark);
  await ann.choose(words.settings.skin, words.settings.skins.slate);
  await ann.choose(words.settings.numbers, words.settings.numbersOf.all);
  await ann.choose(words.settings.placing, words.settings.placings.drag);
  await ann.dialog.getByLabel(words.settings.coordinates).uncheck();
  const dress = (): Promise<string> => ann.page.evaluate(() => `${document.documentElement.dataset.theme} ${document.documentElement.dataset.skin}`);
  expect(await dress()).toBe('dark slate');
  await ann.page.reload();
  expect(await dress()).toBe('dark slate');
  await ann.press(words.nav.settings);
  const chosen = ann.dialog.getByRole('radio', { checked: true });
  await expect(chosen.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).resolves.toEqual(
    expect.arrayContaining(['dark', 'slate', 'all', 'drag']),
  );
  expect(await ann.dialog.getByLabel(words.settings.coordinates).isChecked()).toBe(false);
  await ann.page.keyboard.press('Escape');

  await ann.visit('/position/15x15/freestyle/h8i9');
  await ann.sees(['h8', 'i9']);
  expect(await ann.page.locator('.drawing .number').allTextContents()).toEqual(['1', '2']);
  expect(await ann.page.locator('.drawing .label').count()).toBe(0);
});

test('the pages speak Chinese', async ({ person }) => {
  const ann = await person();
  await ann.visit('/');
  await ann.press(words.nav.settings);
  await ann.tile(words.settings.language, words.settings.languages.zh).click(); // which loads the page anew
  await soon(async () => expect(await ann.page.evaluate(() => document.documentElement.lang)).toBe('zh-CN'));
  await ann.page.getByRole('heading', { level: 1 }).filter({ hasText: /\p{Script=Han}/u }).waitFor();
});

test('a new name shows everywhere, and nothing of it is taken for HTML', async ({ person }) => {
  const [ann, ben] = [await person({ refused: 400 }), await person()];
  await table(ann, ben, {}, ['h8', 'i9']);
  const rename = async (name: string): Promise<void> => {
    if (!(await ann.dialog.isVisible())) await ann.page.getByRole('button', { name: /^You are/ }).click();
    await ann.dialog.getByLabel(words.person.label, { exact: true }).fill(name);
    await ann.dialog.getByRole('button', { name: words.person.save }).click();
  };
  // What could be HTML is refused with a reason; the name stays.
  await rename('<img src=x>');
  await soon(async () => expect(await ann.dialog.getByRole('alert').textContent()).toBe(words.refusals.bad_name));
  for (const name of ['Bot 9', 'bot9']) {
    await rename(name);
    await soon(async () => expect(await ann.dialog.getByRole('alert').textContent()).toBe(words.refusals.bot_name));
    await rename('-'.repeat(3));
    await soon(async () => expect(await ann.dialog.getByRole('alert').textContent()).toBe(words.refusals.bad_name));
  }
  await rename("Zoë O'Neil-3.b_");
  await ann.finds(words.person.saved("Zoë O'Neil-3.b_"));
  expect(await ann.name()).toBe("Zoë O'Neil-3.b_");
  await ann.page.reload();
  await ann.sees(['h8', 'i9']);
  expect(await ann.name()).toBe("Zoë O'Neil-3.b_");
  // A new table knows the new name.
  await table(ann, ben);
  await ben.player('black').getByText("Zoë O'Neil-3.b_").waitFor();
});

test('the session survives the browser, and goes to another device by a link', async ({ person }) => {
  const [ann, phone, ben] = [await person(), await person({ device: 'phone' }), await person()];
  const room = await table(ann, ben, {}, ['h8', 'i9']);
  const name = await ann.name();
  const cookie = (await ann.context.cookies()).find((one) => one.name === 'gomokud');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(cookie!.expires).toBeGreaterThan(Date.now() / 1000 + 7 * 24 * 3600);

  await ann.page.getByRole('button', { name: /^You are/ }).click();
  await ann.press(words.person.deviceButton);
  const link = new URL(await ann.dialog.getByLabel(words.person.device).inputValue());
  await phone.visit('/');
  expect(await phone.name()).not.toBe(name);
  await phone.page.goto(link.pathname);
  await phone.page.getByRole('button', { name }).click();
  await phone.page.waitForURL((url) => url.pathname === '/');
  await soon(async () => expect(await phone.name()).toBe(name));
  await phone.page.locator(`a[href="/room/${room}"]`).first().click();
  await phone.myTurn();
  await phone.page.touchscreen.tap((await phone.spot('g7')).x, (await phone.spot('g7')).y);
  await phone.button(words.board.confirm('g7')).tap();
  for (const one of [ann, ben, phone]) await one.sees(['h8', 'i9', 'g7']);
});
