// Draws a board: state in, SVG out. It knows no rules and touches only what has
// changed since the last time.

import { columnName, parsePoint, starPoints, type Point, type Size } from './coords';
import { s, setAttribute, setText } from './dom';
import { frameOf, place, pitch, radius, type Frame } from './geometry';
import type { Hand } from './placing';
import { opponentOf, type Color, type ForbiddenPoint } from './protocol';
import type { Placing, Settings } from './settings';

export interface Stone {
  point: string;
  color: Color;
  number: number; // of its move, from 1
}

export interface BoardState {
  size: Size;
  stones: Stone[];
  last: string | null;
  sending: { point: string; color: Color } | null; // played, but not yet stored
  row: string[]; // the winning stones
  forbidden: ForbiddenPoint[];
  refusesForbidden: boolean; // such a point cannot be played, instead of losing
  mover: Color | null; // whose stones this board's user may place now
  past: boolean; // an earlier position of the user's own game, which goes on
  seated: boolean; // they play here, now or after the opponent's move: no finger scrolls this board
  numbers: Settings['numbers'];
  coordinates: boolean;
  placing: Placing;
}

export interface Drawing {
  node: SVGSVGElement;
  /** A second view of the same drawing, for the magnifier. */
  mirror: SVGSVGElement;
  /** `width` is the drawing's width on the screen, in pixels. */
  update(state: BoardState, hand: Hand, width: number): void;
  frame(): Frame;
}

let drawings = 0;

export function createDrawing(): Drawing {
  const id = `board${++drawings}`;
  const ground = s('g', { class: 'ground' });
  const stones = s('g');
  const marks = s('g');
  const all = s('g', { id: `${id}-all` }, ground, stones, marks);
  const node = s('svg', { class: 'drawing', 'aria-hidden': 'true' }, gradients(id), all);
  const mirror = s('svg', { class: 'loupe', 'aria-hidden': 'true' }, s('use', { href: `#${id}-all` }));
  const drawn = new Map<string, SVGGElement>();
  let frame = frameOf({ width: 15, height: 15 }, true);
  let groundKey = '';

  return {
    node,
    mirror,
    frame: () => frame,
    update(state, hand, width) {
      const letter = letterSize(state.size, width);
      frame = frameOf(state.size, state.coordinates, letter);
      setAttribute(node, 'viewBox', `0 0 ${frame.width} ${frame.height}`);
      const key = `${frame.width} ${frame.height} ${state.coordinates} ${letter}`;
      if (key !== groundKey) {
        groundKey = key;
        ground.replaceChildren(...groundOf(frame, state.coordinates, letter));
      }
      drawStones(stones, drawn, frame, state, id);
      marks.replaceChildren(...marksOf(frame, state, hand, id));
      if (hand.aim) magnify(mirror, place(frame, hand.aim));
    },
  };
}

function gradients(id: string): SVGElement {
  const stops = (kind: string): SVGElement[] =>
    [0, 55, 100].map((offset, i) => s('stop', { offset: `${offset}%`, class: `${kind}-${i}` }));
  const gradient = (kind: string): SVGElement =>
    s('radialGradient', { id: `${id}-${kind}`, cx: 0.36, cy: 0.3, r: 0.75 }, ...stops(kind));
  return s('defs', {}, gradient('black'), gradient('white'));
}

/** Letters stay readable however small the board is shown. */
function letterSize(size: Size, width: number): number {
  return Math.round(Math.min(90, Math.max(30, (10.5 * (size.width + 1) * pitch) / width)));
}

function groundOf(frame: Frame, coordinates: boolean, letter: number): SVGElement[] {
  const { size, margin, width, height } = frame;
  const lines: string[] = [];
  for (let x = 0; x < size.width; x++) lines.push(`M${margin + x * pitch} ${margin}V${height - margin}`);
  for (let y = 0; y < size.height; y++) lines.push(`M${margin} ${margin + y * pitch}H${width - margin}`);
  const nodes: SVGElement[] = [
    s('path', { class: 'lines', d: lines.join('') }),
    s('rect', { class: 'edge', x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin }),
  ];
  for (const star of starPoints(size)) {
    const { x, y } = place(frame, star);
    nodes.push(s('circle', { class: 'star', cx: x, cy: y, r: 9 }));
  }
  if (!coordinates) return nodes;
  const label = (x: number, y: number, text: string): SVGElement =>
    s('text', { class: 'label', x, y, 'font-size': letter }, text);
  const outside = (margin - radius) / 2; // midway between the edge and the outermost stones
  const every = letter > 50 ? 2 : 1; // where they would touch
  for (let x = 0; x < size.width; x += every) nodes.push(label(margin + x * pitch, height - outside, columnName(x)));
  for (let y = 0; y < size.height; y += every) nodes.push(label(outside, height - margin - y * pitch, String(y + 1)));
  return nodes;
}

function drawStones(layer: SVGGElement, drawn: Map<string, SVGGElement>, frame: Frame, state: BoardState, id: string): void {
  const { sending, stones, numbers } = state;
  const shown: (Stone & { waits?: boolean })[] = [...stones];
  if (sending) shown.push({ ...sending, number: stones.length + 1, waits: true });
  const firstNumber = numbers === 'all' ? 1 : numbers === 'last5' ? shown.length - 4 : Infinity;
  const gone = new Set(drawn.keys());
  for (const [index, stone] of shown.entries()) {
    const point = parsePoint(stone.point, frame.size);
    if (!point) continue;
    const key = `${stone.point} ${stone.color}`;
    gone.delete(key);
    let node = drawn.get(key);
    if (!node) {
      node = stoneNode(stone.color, id);
      drawn.set(key, node);
      layer.append(node);
    }
    const { x, y } = place(frame, point);
    setAttribute(node, 'transform', `translate(${x} ${y})`);
    setAttribute(node, 'class', `stone ${stone.color}${stone.waits ? ' sending' : ''}`);
    const number = node.lastElementChild!;
    setText(number, index + 1 >= firstNumber ? String(stone.number) : '');
    setAttribute(number, 'font-size', stone.number > 99 ? '38' : '46');
  }
  for (const key of gone) {
    drawn.get(key)?.remove();
    drawn.delete(key);
  }
}

function stoneNode(color: Color, id: string): SVGGElement {
  return s(
    'g',
    {},
    s('circle', { class: 'shadow', cx: 3, cy: 6, r: radius }),
    s('circle', { class: 'body', r: radius, fill: `url(#${id}-${color})` }),
    s('text', { class: 'number' }),
  );
}

function marksOf(frame: Frame, state: BoardState, hand: Hand, id: string): SVGElement[] {
  const nodes: SVGElement[] = [];
  const at = (point: Point | string | null, draw: (x: number, y: number) => SVGElement): void => {
    const found = typeof point === 'string' ? parsePoint(point, frame.size) : point;
    if (!found) return;
    const { x, y } = place(frame, found);
    nodes.push(draw(x, y));
  };
  for (const { point } of state.forbidden) at(point, cross);
  if (state.row.length > 1) nodes.push(...rowLine(frame, state.row));
  const lastColor = state.stones.find((stone) => stone.point === state.last)?.color;
  if (lastColor) at(state.last, (x, y) => lastMark(x, y, lastColor, state.numbers !== 'off'));
  const { mover } = state;
  const free = (point: Point | null): boolean =>
    point !== null && !state.stones.some((stone) => samePlace(stone.point, point, frame.size));
  const barred = (point: Point | null): boolean =>
    state.refusesForbidden && point !== null && state.forbidden.some((one) => samePlace(one.point, point, frame.size));
  const ghost = (extra: string) => (x: number, y: number): SVGElement =>
    s('circle', { class: `ghost ${mover} ${extra}`, cx: x, cy: y, r: radius, fill: `url(#${id}-${mover})` });
  if (mover) {
    const hovered = hand.aim ?? hand.pressed ?? hand.hover;
    if (free(hovered) && !barred(hovered)) at(hovered, ghost(''));
    if (hand.chosen) {
      at(hand.chosen, ghost('chosen'));
      at(hand.chosen, (x, y) => s('circle', { class: 'ring', cx: x, cy: y, r: radius + 7 }));
    }
  }
  if (hand.aim) at(hand.aim, (x, y) => s('path', { class: 'hair', d: `M${x} 0V${frame.height}M0 ${y}H${frame.width}` }));
  if (hand.cursor) at(hand.cursor, (x, y) => s('rect', { class: 'cursor', x: x - 49, y: y - 49, width: 98, height: 98, rx: 16 }));
  return nodes;
}

function samePlace(name: string, point: Point, size: Size): boolean {
  const other = parsePoint(name, size);
  return other !== null && other.x === point.x && other.y === point.y;
}

function cross(x: number, y: number): SVGElement {
  return s('path', { class: 'forbidden', d: `M${x - 17} ${y - 17}l34 34M${x - 17} ${y + 17}l34 -34` });
}

/** A dot in the stone; a ring around its number if it has one. */
function lastMark(x: number, y: number, color: Color, numbered: boolean): SVGElement {
  const mark = s('g', { class: `last on-${color}` });
  if (numbered) mark.append(s('circle', { class: 'last-ring', cx: x, cy: y, r: 37 }));
  else mark.append(s('circle', { class: 'last-dot', cx: x, cy: y, r: 13 }));
  return mark;
}

function rowLine(frame: Frame, row: string[]): SVGElement[] {
  const points = row
    .map((name) => parsePoint(name, frame.size))
    .filter((point) => point !== null)
    .sort((a, b) => a.x - b.x || a.y - b.y);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const [from, to] = [place(frame, first), place(frame, last)];
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  return [s('path', { class: 'row-line under', d }), s('path', { class: 'row-line', d })];
}

function magnify(mirror: SVGSVGElement, { x, y }: Point): void {
  const half = 2.2 * pitch;
  setAttribute(mirror, 'viewBox', `${x - half} ${y - half} ${2 * half} ${2 * half}`);
}

/** Stones of a list of moves, passes left out. */
export function stonesOf(moves: string[]): Stone[] {
  const stones: Stone[] = [];
  let color: Color = 'black';
  for (const [index, point] of moves.entries()) {
    if (point !== 'pass') stones.push({ point, color, number: index + 1 });
    color = opponentOf(color);
  }
  return stones;
}
