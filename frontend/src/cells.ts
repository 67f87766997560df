// The board as a grid of named cells, invisible over the drawing: what screen
// readers read and the keyboard walks on.

import { pointName, type Point, type Size } from './coords';
import { h, setAttribute } from './dom';
import { pitch, type Frame } from './geometry';
import type { Hand } from './placing';
import type { BoardState } from './render';
import { colorWord, words } from './text';

export interface Cells {
  node: HTMLElement; // what covers the drawing
  grid: HTMLElement; // what has the focus
  update(state: BoardState, hand: Hand, frame: Frame): void;
  pointOf(target: EventTarget | null): Point | null;
}

let grids = 0;

export function createCells(): Cells {
  const id = `cells${++grids}`;
  const node = h('div', { class: 'cells', role: 'grid', tabindex: 0, 'aria-describedby': `${id}-keys` });
  const keys = h('p', { id: `${id}-keys`, class: 'unseen' }, words.board.keys);
  const wrap = h('div', { class: 'cells-wrap' }, node, keys);
  const points = new Map<Element, Point>();
  let byName = new Map<string, HTMLElement>();
  let built = '';

  function build(size: Size): void {
    points.clear();
    byName = new Map();
    const rows: HTMLElement[] = [];
    for (let y = size.height - 1; y >= 0; y--) {
      const row = h('div', { role: 'row' });
      for (let x = 0; x < size.width; x++) {
        const name = pointName({ x, y });
        const cell = h('div', { role: 'gridcell', id: `${id}-${name}`, 'data-point': name });
        points.set(cell, { x, y });
        byName.set(name, cell);
        row.append(cell);
      }
      rows.push(row);
    }
    node.replaceChildren(...rows);
  }

  return {
    node: wrap,
    grid: node,
    update(state, hand, frame) {
      const key = `${state.size.width}x${state.size.height}`;
      if (key !== built) {
        built = key;
        build(state.size);
        setAttribute(node, 'aria-label', words.board.label(key.replace('x', ' × ')));
      }
      const inset = frame.margin - pitch / 2;
      wrap.style.setProperty('inset', `${(inset / frame.height) * 100}% ${(inset / frame.width) * 100}%`);
      setAttribute(node, 'aria-activedescendant', hand.cursor ? `${id}-${pointName(hand.cursor)}` : null);
      const labels = labelsOf(state, hand);
      for (const [name, cell] of byName) {
        const { label, title } = labels.get(name) ?? { label: `${name}, ${words.board.empty}`, title: null };
        setAttribute(cell, 'aria-label', label);
        setAttribute(cell, 'title', title);
      }
    },
    pointOf: (target) => (target instanceof Element ? (points.get(target) ?? null) : null),
  };
}

interface Label {
  label: string;
  title: string | null;
}

/** Names of the cells that are more than empty. */
function labelsOf(state: BoardState, hand: Hand): Map<string, Label> {
  const labels = new Map<string, Label>();
  const row = new Set(state.row);
  for (const { point, color, number } of state.stones) {
    const parts = [point, colorWord(color), words.board.move(number)];
    if (point === state.last) parts.push(words.board.last);
    if (row.has(point)) parts.push(words.board.winning);
    labels.set(point, { label: parts.join(', '), title: null });
  }
  for (const { point, foul } of state.forbidden) {
    const why = words.board.forbidden(words.fouls[foul]);
    labels.set(point, { label: `${point}, ${words.board.empty}, ${why}`, title: why });
  }
  const { sending } = state;
  if (sending) labels.set(sending.point, { label: `${sending.point}, ${colorWord(sending.color)}, ${words.board.sending}`, title: null });
  if (hand.chosen) {
    const name = pointName(hand.chosen);
    const known = labels.get(name);
    labels.set(name, { label: `${known?.label ?? name}, ${words.board.chosen}`, title: known?.title ?? null });
  }
  return labels;
}
