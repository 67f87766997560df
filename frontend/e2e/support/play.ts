// What a person does and sees on the pages, in the words of the pages.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Color, RuleName } from '../../src/protocol';
import { en as words } from '../../src/text/en';
import { patience, soon } from './wait';

export interface GameWish {
  rule?: RuleName;
  size?: string;
  /** As the tiles name it: "5 + 3". */
  clock?: string;
  /** Instead of a preset: so many seconds for each move. */
  secondsPerMove?: number;
  color?: Color;
  forbidden?: 'loses' | 'refused';
  bot?: string;
}

export type Play = ReturnType<typeof createPlay>;

export function createPlay(page: Page) {
  const status = page.locator('.status');
  const dialog = page.getByRole('dialog');
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  const cell = (point: string): Locator => page.locator(`[role=gridcell][data-point=${point}]`);
  const visible = (text: string | RegExp): Locator => page.getByText(text).filter({ visible: true }).first();
  const player = (color: Color): Locator => page.getByRole('region', { name: new RegExp(`^${words[color]}:`) });

  /** One of the choices that a dialog shows as tiles. */
  const tile = (group: string, label: string): Locator =>
    dialog
      .getByRole('group', { name: group, exact: true })
      .locator('label')
      .filter({ has: page.getByText(label, { exact: true }) });

  async function choose(group: string, label: string): Promise<void> {
    await tile(group, label).getByRole('radio').check();
  }

  /** One of the computer's players, by its title. */
  const opponent = (title: string): Locator =>
    dialog.getByRole('group', { name: words.lobby.opponent, exact: true }).getByRole('radio', { name: title, exact: true });

  /** Fills the dialog of a new game. */
  async function choices(way: string, { rule = 'freestyle', size = '15x15', clock = 'No clock', secondsPerMove, color, forbidden, bot }: GameWish): Promise<void> {
    if (bot) await opponent(bot).check();
    if (color) {
      if (way === words.lobby.computer) await choose(words.lobby.first, color === 'black' ? words.lobby.iBegin : words.lobby.itBegins);
      else await choose(words.lobby.color, words[color]);
    }
    await choose(words.lobby.rule, words.rules[rule].title);
    if (forbidden) await choose(words.lobby.forbidden, forbidden === 'loses' ? words.lobby.forbiddenLoses : words.lobby.forbiddenRefused);
    const label = size.replace('x', ' × ');
    if ((await tile(words.lobby.board, label).count()) > 0) await choose(words.lobby.board, label);
    else {
      await choose(words.lobby.board, words.lobby.otherSize);
      const [width = '', height = ''] = size.split('x');
      await dialog.getByLabel(words.lobby.width).fill(width);
      await dialog.getByLabel(words.lobby.height).fill(height);
    }
    if (secondsPerMove === undefined) return choose(words.lobby.time, clock);
    await choose(words.lobby.time, words.clock.custom);
    await choose(words.clock.kind, words.clock.perMove);
    await dialog.getByLabel(words.clock.perMoveSeconds).fill(String(secondsPerMove));
  }

  async function begin(way: string, wish: GameWish, submit: string): Promise<void> {
    await visit('/');
    await page.getByRole('button', { name: way }).click();
    await choices(way, wish);
    await dialog.getByRole('button', { name: submit }).click();
  }

  async function visit(path: string): Promise<void> {
    await page.goto(path);
    // The page is whole once it has a player's name, which comes with the line.
    await page.getByRole('button', { name: words.person.open('').slice(0, 8) }).waitFor();
  }

  /** The room's name once the page has gone there. */
  async function room(): Promise<string> {
    await page.waitForURL(/\/room\/[\w-]+$/);
    return new URL(page.url()).pathname.split('/')[2]!;
  }

  /** The moves of the stones that are stored, in their order. */
  function stones(): Promise<string[]> {
    return page.evaluate(([black, white]) => {
      const moves: string[] = [];
      for (const cell of document.querySelectorAll<HTMLElement>('[role=gridcell]')) {
        const [point = '', color = '', rest = ''] = cell.ariaLabel?.split(', ') ?? [];
        const number = Number(/^move (\d+)$/.exec(rest)?.[1] ?? 0);
        if (number === 0) continue;
        moves[number - 1] = color === (number % 2 === 1 ? black : white) ? point : `${point} of ${color}`;
      }
      return Array.from(moves, (move) => move ?? 'nothing');
    }, [words.black, words.white] as const);
  }

  async function spot(point: string): Promise<{ x: number; y: number }> {
    await cell(point).scrollIntoViewIfNeeded();
    const box = (await cell(point).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Clicks a point, whoever's turn it is. */
  async function click(point: string): Promise<void> {
    const { x, y } = await spot(point);
    await page.mouse.click(x, y);
  }

  async function myTurn(): Promise<void> {
    await soon(async () => expect(await status.textContent()).toContain(words.room.yourTurn));
  }

  return {
    status,
    dialog,
    button,
    cell,
    player,
    visit,
    room,
    tile,
    choose,
    opponent,
    choices,
    stones,
    spot,
    click,
    myTurn,

    playNow: (wish: GameWish = {}) => begin(words.lobby.playNow, wish, words.lobby.start),
    playFriend: (wish: GameWish = {}) => begin(words.lobby.friend, wish, words.lobby.create),
    playBot: (wish: GameWish) => begin(words.lobby.computer, wish, words.lobby.startBot),

    async place(point: string): Promise<void> {
      await myTurn();
      await click(point);
    },

    /** All stones are these, in this order, and nothing is on its way. */
    async sees(moves: string[]): Promise<void> {
      await soon(async () => expect(await stones()).toEqual(moves));
    },

    async sending(point: string): Promise<void> {
      await soon(async () => expect(await cell(point).getAttribute('aria-label')).toContain(words.board.sending));
    },

    async reads(text: string | RegExp): Promise<void> {
      await soon(async () => expect(await status.textContent()).toMatch(text));
    },

    /** Some element shows this text. */
    async finds(text: string | RegExp): Promise<void> {
      await visible(text).waitFor({ timeout: patience });
    },

    /** No element shows this text any more. */
    async misses(text: string | RegExp): Promise<void> {
      await visible(text).waitFor({ state: 'hidden', timeout: patience });
    },

    async press(name: string | RegExp): Promise<void> {
      await button(name).click();
    },

    /** What the clock shows, in seconds. */
    async clock(color: Color): Promise<number> {
      const text = (await player(color).getByRole('timer').locator('.clock-time').textContent()) ?? '';
      return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    },

    /** The name that is shown as one's own. */
    async name(): Promise<string> {
      const label = await page.getByRole('button', { name: words.person.open('').slice(0, 8) }).getAttribute('aria-label');
      return /^You are (.+)\. /.exec(label ?? '')?.[1] ?? '';
    },
  };
}

/** They place stones in turn; each sees the other's before answering. */
export async function playOut(black: Play, white: Play, moves: string[], from = 0): Promise<void> {
  for (const [i, move] of moves.entries()) {
    if (i < from) continue;
    await (i % 2 === 0 ? black : white).place(move);
    await black.sees(moves.slice(0, i + 1));
  }
  await white.sees(moves);
}
