// A board of every shape is as large as the window lets it be, and no larger.

import { en as words } from '../../src/text/en';
import { table } from '../support/games';
import type { Person, Wish } from '../support/person';
import { describe, expect, test } from '../support/test';

const sizes = ['5x5', '7x9', '15x15', '16x14', '25x25', '5x25', '25x5'];

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const boxOf = async ({ page }: Person, selector: string): Promise<Box> => (await page.locator(selector).boundingBox())!;

const window = ({ page }: Person): Promise<{ width: number; height: number; sideways: number }> =>
  page.evaluate(() => {
    const { clientWidth: width, clientHeight: height, scrollWidth } = document.documentElement;
    return { width, height, sideways: scrollWidth - width };
  });

// What stands beside the board, and what above and below, without any room to spare.
// Letters that are large beside a very narrow board make it a little lower than it could be.
const taken = {
  desktop: { beside: 460, around: 90, least: 0.98 },
  phone: { beside: 0, around: 280, least: 0.98 },
  'phone on its side': { beside: 400, around: 8, least: 0.9 },
};

const wishes: Record<keyof typeof taken, Wish> = {
  desktop: { device: 'desktop' },
  phone: { device: 'phone' },
  'phone on its side': { device: 'phone', context: { viewport: { width: 844, height: 390 } } },
};

for (const device of ['desktop', 'phone', 'phone on its side'] as const) {
  describe(device, () => {
    test('a position', async ({ person }) => {
      const eve = await person(wishes[device]);
      for (const size of sizes) {
        await eve.visit(`/position/${size}/freestyle/c3c4`);
        await eve.sees(['c3', 'c4']);
        const [board, cell, { width, height, sideways }] = [await boxOf(eve, '.board'), await boxOf(eve, '[data-point=c3]'), await window(eve)];
        expect(sideways, size).toBeLessThanOrEqual(0);
        expect(board.y + board.height, size).toBeLessThanOrEqual(height);
        expect(cell.width / cell.height, size).toBeCloseTo(1, 1);
        const { beside, around, least } = taken[device];
        expect(Math.max(board.width / (width - beside), board.height / (height - around)), size).toBeGreaterThan(least);
      }
    });

    test('a table, with both players and the button that confirms', async ({ person }) => {
      const [ann, ben] = [await person(wishes[device]), await person()];
      for (const size of ['5x25', '25x5', '15x15', '25x25']) {
        await table(ann, ben, { size, clock: { main: 300_000 } });
        const { height, sideways } = await window(ann);
        expect(sideways, size).toBeLessThanOrEqual(0);
        if (device !== 'desktop') {
          const { x, y } = await ann.spot('c3');
          await ann.page.touchscreen.tap(x, y);
          await ann.button(words.board.confirm('c3')).waitFor();
        }
        expect(await ann.page.evaluate(() => scrollY), size).toBe(0);
        for (const selector of ['.player-top', '.board', '.player-bottom', '.status-row', ...(device === 'phone' ? [] : ['.actions'])]) {
          const box = await boxOf(ann, selector);
          expect(box.y + box.height, `${size}, ${selector}`).toBeLessThanOrEqual(height);
        }
      }
    });
  });
}
