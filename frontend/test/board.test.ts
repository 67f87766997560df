// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { createBoard, type Board } from '../src/board';
import type { BoardState } from '../src/render';

const state: BoardState = {
  size: { width: 15, height: 15 },
  stones: [
    { point: 'h8', color: 'black', number: 1 },
    { point: 'i9', color: 'white', number: 2 },
  ],
  last: 'i9',
  sending: null,
  row: [],
  forbidden: [{ point: 'f6', foul: 'double-three' }],
  refusesForbidden: false,
  mover: 'black',
  past: false,
  seated: true,
  numbers: 'off',
  coordinates: true,
  placing: 'direct',
};

let board: Board;
let played: string[];
let returned: number;

beforeEach(() => {
  played = [];
  returned = 0;
  board = createBoard(
    (point) => played.push(point),
    () => returned++,
  );
  document.body.replaceChildren(board.node, board.bar);
  board.update(state);
});

const find = (selector: string): Element => board.node.querySelector(selector)!;
const cell = (point: string): Element => find(`[data-point=${point}]`);
const press = (key: string): void => void find('[role=grid]').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

describe('the grid', () => {
  it('names every point', () => {
    expect(board.node.querySelectorAll('[role=gridcell]')).toHaveLength(225);
    expect(cell('h8').getAttribute('aria-label')).toBe('h8, Black, move 1');
    expect(cell('i9').getAttribute('aria-label')).toBe('i9, White, move 2, last move');
    expect(cell('a1').getAttribute('aria-label')).toBe('a1, empty');
    expect(cell('f6').getAttribute('title')).toContain('3-3');
  });
  it('reads from the top left', () => expect(find('[role=gridcell]').getAttribute('data-point')).toBe('a15'));
  it('is one stop of the tab key', () => expect(board.node.querySelectorAll('[tabindex="0"]')).toHaveLength(1));
  it('follows the cursor', () => {
    press('ArrowUp');
    press('ArrowUp');
    expect(document.getElementById(find('[role=grid]').getAttribute('aria-activedescendant')!)).toBe(cell('h9'));
  });
  it('plays what is typed', () => {
    for (const key of ['g', '7', 'Enter']) press(key);
    expect(played).toEqual(['g7']);
  });
  it('plays what a screen reader presses', () => {
    cell('g7').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
    expect(played).toEqual(['g7']);
  });
  it.each([
    ['h8', 'There is a stone on h8.'],
    ['q4', 'This board has no point q4.'],
  ])('says politely why %s is not played', (name, why) => {
    for (const key of [...name, 'Enter']) press(key);
    expect(played).toEqual([]);
    const said = board.bar.querySelector('[aria-live=polite]')!;
    expect(said.textContent).toBe(why);
    press('g');
    expect(said.textContent).toBe('g…');
  });
});

describe('an earlier position', () => {
  const past: BoardState = { ...state, mover: null, past: true };
  const click = (): void => {
    for (const type of ['pointerdown', 'pointerup']) board.node.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true }));
  };
  it.each([
    ['a press', click],
    ['Enter', () => press('Enter')],
    ["a screen reader's press", () => cell('g7').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }))],
  ])('is left at %s, which plays nothing', (_, act) => {
    board.update(past);
    act();
    expect([returned, played]).toEqual([1, []]);
  });
  it('is no other: on the board as it stands nothing is left', () => {
    board.update({ ...state, mover: null });
    click();
    press('Enter');
    expect(returned).toBe(0);
  });
});

describe('the drawing', () => {
  it('has a stone for each move and keeps them when one is added', () => {
    const before = [...board.node.querySelectorAll('.stone')];
    board.update({ ...state, stones: [...state.stones, { point: 'g7', color: 'black', number: 3 }], last: 'g7' });
    const after = [...board.node.querySelectorAll('.stone')];
    expect(after.slice(0, 2)).toEqual(before);
    expect(after).toHaveLength(3);
  });
  it('shows a move on its way with the same stone that is then stored', () => {
    board.update({ ...state, sending: { point: 'g7', color: 'black' }, mover: null });
    const sending = find('.stone.sending');
    board.update({ ...state, stones: [...state.stones, { point: 'g7', color: 'black', number: 3 }], mover: null });
    expect(board.node.querySelector('.sending')).toBeNull();
    expect([...board.node.querySelectorAll('.stone')]).toContain(sending);
  });
  it('takes stones away again', () => {
    board.update({ ...state, stones: [] });
    expect(board.node.querySelectorAll('.stone')).toHaveLength(0);
  });
  it('numbers the last five or all', () => {
    const stones = Array.from({ length: 7 }, (_, i) => ({ point: `a${i + 1}`, color: 'black' as const, number: i + 1 }));
    const numbers = () => [...board.node.querySelectorAll('.number')].map((node) => node.textContent);
    board.update({ ...state, stones, numbers: 'last5' });
    expect(numbers()).toEqual(['', '', '3', '4', '5', '6', '7']);
    board.update({ ...state, stones, numbers: 'all' });
    expect(numbers()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });
  it('draws the winning row and the forbidden points', () => {
    board.update({ ...state, row: ['f6', 'g7', 'h8', 'i9', 'j10'] });
    expect(find('.row-line')).not.toBeNull();
    expect(board.node.querySelectorAll('.forbidden')).toHaveLength(1);
  });
  it('follows the size', () => {
    board.update({ ...state, size: { width: 16, height: 14 }, stones: [], last: null });
    expect(board.node.querySelectorAll('[role=gridcell]')).toHaveLength(224);
  });
});
