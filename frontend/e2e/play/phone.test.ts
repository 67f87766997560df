// Fingers on a small screen.

import type { CDPSession } from 'playwright-core';
import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import type { Person } from '../support/person';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

interface Spot {
  x: number;
  y: number;
}

/** A finger that goes down, slides and leaves. */
async function finger(person: Person): Promise<{ down(at: Spot): Promise<void>; slide(...to: Spot[]): Promise<void>; up(): Promise<void> }> {
  const session: CDPSession = await person.context.newCDPSession(person.page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Spot[]) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: async (at) => void (await send('touchStart', [at])),
    async slide(...to) {
      for (const at of to) await send('touchMove', [at]);
    },
    async up() {
      await person.page.waitForTimeout(100); // a finger that flies off flings, and the next tap would only stop that
      await send('touchEnd', []);
    },
  };
}

async function tap(person: Person, point: string): Promise<void> {
  const { x, y } = await person.spot(point);
  await person.page.touchscreen.tap(x, y);
}

async function setPlacing(person: Person, label: string): Promise<void> {
  await person.press(words.nav.settings);
  await person.choose(words.settings.placing, label);
  await person.page.keyboard.press('Escape');
}

test('a tap chooses a point, and a second tap or the button plays it', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone' }), await person()];
  await table(ann, ben);
  await tap(ann, 'h8');
  const confirm = ann.button(words.board.confirm('h8'));
  await confirm.waitFor();
  await tap(ann, 'g7'); // another tap chooses anew
  await ann.button(words.board.confirm('g7')).waitFor();
  await ben.sees([]);
  await tap(ann, 'g7');
  for (const one of [ann, ben]) await one.sees(['g7']);

  await ben.place('a1');
  await ann.myTurn();
  await tap(ann, 'h8');
  await confirm.tap();
  await ben.sees(['g7', 'a1', 'h8']);
});

test('choosing a point moves nothing, though there is a button then', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone' }), await person()];
  await table(ann, ben);
  const places = async () => Promise.all([words.room.takeback, words.room.abort].map(async (name) => (await ann.button(name).boundingBox())!.y));
  await ann.reads(words.room.yourTurnFirst);
  const before = await places();
  await tap(ann, 'h8');
  await ann.button(words.board.confirm('h8')).waitFor();
  expect(await places()).toEqual(before);
});

test('who taps on small points is told once of the magnifier, which is there while the finger slides', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone' }), await person()];
  await table(ann, ben, { size: '25x25' });
  await tap(ann, 'h8');
  await ann.finds(words.board.aiming);
  const hand = await finger(ann);
  await hand.down(await ann.spot('m13'));
  await hand.slide(await ann.spot('m14'), await ann.spot('n14'));
  await ann.page.locator('.loupe-frame').waitFor();
  await hand.up();
  await ann.page.locator('.loupe-frame').waitFor({ state: 'hidden' });
  await ann.button(words.board.confirm('n14')).tap();
  for (const one of [ann, ben]) await one.sees(['n14']);
  await ann.page.reload();
  await ben.place('a1');
  await ann.sees(['n14', 'a1']);
  await tap(ann, 'c3');
  await ann.button(words.board.confirm('c3')).waitFor();
  expect(await ann.page.getByText(words.board.aiming).count()).toBe(0);
});

test('with direct placing the stone falls when the finger leaves, and not where it slid away', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone' }), await person()];
  await table(ann, ben);
  await setPlacing(ann, words.settings.placings.direct);
  const hand = await finger(ann);
  await hand.down(await ann.spot('h8'));
  await ben.sees([]); // it has not left yet
  await hand.slide(await ann.spot('c3'));
  await hand.up();
  await hand.down(await ann.spot('g7'));
  await hand.up();
  for (const one of [ann, ben]) await one.sees(['g7']);
});

test('a dragged stone falls where the finger leaves; outside of the board nothing falls; the page keeps still', async ({ person }) => {
  const low = { viewport: { width: 390, height: 640 } }; // lower than the page, which could scroll
  const [ann, ben] = [await person({ device: 'phone', context: low }), await person()];
  await table(ann, ben);
  await setPlacing(ann, words.settings.placings.drag);
  const spots = { h8: await ann.spot('h8'), h10: await ann.spot('h10'), g7: await ann.spot('g7') };
  const box = (await ann.page.locator('.board').boundingBox())!;
  const scrolled = (): Promise<number> => ann.page.evaluate(() => scrollY);
  expect(await ann.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeGreaterThan(50);
  const before = await scrolled();
  const hand = await finger(ann);

  await hand.down(spots.h8);
  await hand.slide(spots.h10, { x: box.x + box.width / 2, y: box.y + 4 }, { x: box.x + box.width / 2, y: Math.max(1, box.y - 40) });
  await hand.up();
  await hand.down(spots.h8);
  await hand.slide(spots.h10, spots.g7);
  await ann.page.locator('.board .hair').waitFor();
  expect(await scrolled()).toBe(before);
  await hand.up();
  for (const one of [ann, ben]) await one.sees(['g7']);
});

test('a spectator may scroll with a finger on the board', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  const eve = await person({ device: 'phone', context: { viewport: { width: 390, height: 500 } } });
  const room = await table(ann, ben, {}, ['h8']);
  await eve.visit(`/room/${room}`);
  await eve.sees(['h8']);
  const top = await eve.page.evaluate(() => scrollY);
  const from = await eve.spot('h6');
  const hand = await finger(eve);
  await hand.down(from);
  for (let step = 1; step <= 10; step++) await hand.slide({ x: from.x, y: from.y - 10 * step });
  await hand.up();
  await soon(async () => expect(await eve.page.evaluate(() => scrollY)).toBeGreaterThan(top));
});

for (const size of ['16x14', '25x25']) {
  test(`every corner of a ${size} board can be played on a phone`, async ({ person }) => {
    const [ann, ben] = [await person({ device: 'phone' }), await person()];
    await table(ann, ben, { size });
    const [width = 0, height = 0] = size.split('x').map(Number);
    const right = String.fromCharCode(96 + width);
    expect(await ann.page.getByRole('gridcell').count()).toBe(width * height);
    const corners = ['a1', `${right}${height}`, `a${height}`, `${right}1`];
    for (const [i, corner] of corners.entries()) {
      if (i % 2 === 1) await ben.place(corner);
      else {
        await ann.myTurn();
        await tap(ann, corner);
        await ann.button(words.board.confirm(corner)).tap();
      }
      await ann.sees(corners.slice(0, i + 1));
    }
    await ben.sees(corners);
    const sideways = await ann.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
  });
}

test('a finger plays against somebody who has only a keyboard', async ({ person }) => {
  const [ann, ben] = [await person({ device: 'phone' }), await person()];
  await table(ann, ben, { size: '20x20' });
  await setPlacing(ann, words.settings.placings.direct);
  await tap(ann, 'j10');
  // The other plays without a pointer: by walking, and by a point's name.
  await ben.myTurn();
  await ben.page.getByRole('grid').focus();
  await ben.page.keyboard.type('k11');
  await ben.page.keyboard.press('Enter');
  for (const one of [ann, ben]) await one.sees(['j10', 'k11']);
  await ann.myTurn();
  await tap(ann, 'a1');
  await ben.myTurn();
  for (const key of ['ArrowUp', 'ArrowRight', 'Enter']) await ben.page.keyboard.press(key);
  for (const one of [ann, ben]) await one.sees(['j10', 'k11', 'a1', 'l12']);
});
