// Which of the computer's players one plays.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../../src/api';
import { en as words } from '../../src/text/en';
import { zh } from '../../src/text/zh';
import type { Person } from '../support/person';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

const newcomers = 'Level 3';
const remembered = 'gomokud.choices.computer';

const open = (person: Person): Promise<void> => person.page.getByRole('button', { name: words.lobby.computer }).click();

const chosen = (person: Person, { lobby } = words): Promise<string[]> =>
  person.dialog
    .getByRole('group', { name: lobby.opponent, exact: true })
    .getByRole('radio', { checked: true })
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));

test('a newcomer is offered level 3, plays it, and gets the same rival again', async ({ person }) => {
  const ann = await person();
  await ann.playBot({ color: 'black' });
  await ann.player('white').getByText(newcomers, { exact: true }).waitFor();
  await ann.player('white').getByText(words.computer).waitFor();
  for (const [i, point] of ['a1', 'o1', 'a15'].entries()) {
    await ann.place(point);
    await soon(async () => expect(await ann.stones()).toHaveLength(2 * i + 2));
  }
  await ann.press(words.room.resign);
  await ann.press(words.room.sure.resign.yes);
  await ann.finds(words.result.why('resignation', newcomers, await ann.name(), ''));
  await ann.press(words.room.rematch);
  await ann.player('black').getByText(newcomers, { exact: true }).waitFor();
  await soon(async () => expect(await ann.stones()).toHaveLength(1)); // the colours are swapped
});

test('the last choice is remembered, also from before there were levels', async ({ person }) => {
  const ann = await person();
  await ann.playBot({ bot: 'Level 7', color: 'black' });
  await ann.room();
  await ann.visit('/');
  await ann.page.getByRole('button', { name: /Level 7/ }).waitFor();
  await open(ann);
  expect(await chosen(ann)).toEqual(['tengen-7']);

  for (const [bot, expected] of [['seven-step', 'seven-step'], ['', 'tengen-3'], ['one-that-left', 'tengen-3']] as const) {
    const choices = { rule: 'renju', size: '15x15', clock: {}, forbidden: 'loses', color: 'white', bot };
    await ann.page.evaluate(([key, value]) => localStorage.setItem(key, value), [remembered, JSON.stringify(choices)] as const);
    await ann.visit('/');
    await open(ann);
    expect(await chosen(ann)).toEqual([expected]);
    expect(await ann.tile(words.lobby.rule, words.rules.renju.title).getByRole('radio').isChecked()).toBe(true);
  }
});

test('levels and characters are one choice, which arrow keys walk through', async ({ person }) => {
  const ann = await person();
  await ann.visit('/');
  await open(ann);
  const about = ann.dialog.locator('.level-about');
  await ann.opponent(newcomers).focus();
  const before = await about.textContent();
  expect(before).toContain(newcomers);
  await ann.page.keyboard.press('ArrowRight');
  expect(await chosen(ann)).toEqual(['tengen-4']);
  await soon(async () => expect(await about.textContent()).toContain('Level 4'));
  expect(await about.textContent()).not.toBe(before);
  for (let level = 4; level <= 10; level++) await ann.page.keyboard.press('ArrowRight');
  const [character = ''] = await chosen(ann);
  expect(character).not.toMatch(/^tengen/);
  await soon(async () => expect(await about.textContent()).toContain(words.lobby.levels));
  await ann.page.keyboard.press('Enter');
  await ann.room();
  await ann.player('white').getByText(words.computer).waitFor();
  const saved = await ann.page.evaluate((key) => localStorage.getItem(key) ?? '', remembered);
  expect(JSON.parse(saved)).toMatchObject({ bot: character });
});

test('a program of the operator’s stands apart and plays', async ({ person, ownServer }) => {
  const folder = await mkdtemp(join(tmpdir(), 'gomokud-e2e-'));
  const path = join(folder, 'pbrain-corner');
  await writeFile(
    path,
    '#!/bin/sh\nwhile read -r line; do case $line in\nSTART*|RECTSTART*) echo OK;;\nBEGIN*) echo 0,0;;\nTURN*|DONE*) echo 9,9;;\nEND*) exit;;\nesac; done\n',
    { mode: 0o700 },
  );
  try {
    const ann = await person({ server: await ownServer('--engine', `cornered=${path}`) });
    await ann.visit('/');
    await open(ann);
    const theirs = ann.dialog.getByRole('group', { name: words.lobby.external, exact: true }).getByRole('radio');
    expect(await theirs.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual(['cornered']);
    await ann.page.keyboard.press('Escape');
    await ann.playBot({ bot: 'cornered', color: 'white' });
    await soon(async () => expect(await ann.stones()).toHaveLength(1));
    await ann.player('black').getByText('cornered', { exact: true }).waitFor();

    // It knows one answer; whoever plays on for it is named, also after a reload.
    const told = ann.page.getByText(words.room.standIn('cornered', 1));
    await ann.place('c3');
    await soon(async () => expect(await ann.stones()).toHaveLength(3));
    expect(await told.isVisible()).toBe(false);
    await ann.place('d3');
    await told.waitFor();
    await ann.page.reload();
    await told.waitFor();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('of an opponent who has left one reads beside the button, in one’s own language, and is offered another', async ({ person }) => {
  const ann = await person({ device: 'phone', context: { locale: 'zh-CN' } });
  await ann.page.route(
    '**/api/options',
    async (route) => {
      const options = (await (await route.fetch()).json()) as Options;
      await route.fulfill({ json: { ...options, bots: [...options.bots, { name: 'gone', title: 'Gone', about: '', external: true }] } });
    },
    { times: 1 },
  );
  await ann.page.goto('/');
  await ann.page.getByRole('button', { name: zh.lobby.computer }).click();
  const gone = ann.dialog.getByRole('radio', { name: 'Gone', exact: true });
  await gone.check();
  const start = ann.dialog.getByRole('button', { name: zh.lobby.startBot, exact: true });
  await start.click();
  const said = ann.dialog.getByRole('alert');
  await soon(async () => expect(await said.textContent()).toBe(zh.refusals.no_such_bot));
  const [text, below] = [(await said.boundingBox())!, (await start.boundingBox())!];
  expect(text.y + text.height).toBeLessThan(below.y);
  expect(below.y - text.y - text.height).toBeLessThan(20);
  expect(below.y + below.height).toBeLessThan(ann.page.viewportSize()!.height);
  await gone.waitFor({ state: 'detached' });
  expect(await chosen(ann, zh)).toEqual(['tengen-3']);
  await start.click();
  await ann.room();
});

test('a bot has its Chinese name wherever it is named', async ({ person }) => {
  const ann = await person({ context: { locale: 'zh-CN' } });
  await ann.page.goto('/');
  await ann.page.getByRole('button', { name: zh.lobby.computer }).click();
  await ann.dialog.getByRole('button', { name: zh.lobby.startBot, exact: true }).click();
  const name = zh.bots['tengen-3']!.title;
  await ann.page.getByRole('region', { name: new RegExp(name) }).waitFor();
  await soon(async () => expect(await ann.page.title()).toContain(name));
  const room = await ann.room();
  await ann.page.goto('/');
  await ann.page.locator(`a[href="/room/${room}"]`).getByText(name).waitFor();
  await ann.page.goto(`/room/${room}/1`);
  await ann.page.getByRole('region', { name: new RegExp(name) }).waitFor();
});
