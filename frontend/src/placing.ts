// How a stone comes to the board: what a press, a drag, a tap or a key does in
// each of the three ways of placing. Pure: a hand and an input give a hand, and
// perhaps a point to play.

import { parsePoint, samePoint, type Point, type Size } from './coords';
import type { Placing } from './settings';

export interface Hand {
  hover: Point | null; // under a mouse that is not pressed
  pressed: Point | null; // where the press began
  aim: Point | null; // under the finger, while it slides over the board
  chosen: Point | null; // waits for its confirmation
  refused: Refused | null; // was to be played last, and cannot be
  cursor: Point | null; // of the keyboard
  typed: string; // the beginning of a point's name
}

/** A point that the rules bar, one where a stone is, or what names no point of this board. */
export type Refused = { why: 'barred' | 'taken'; point: Point } | { why: 'nowhere'; typed: string };

export const emptyHand: Hand = { hover: null, pressed: null, aim: null, chosen: null, refused: null, cursor: null, typed: '' };

export type Input =
  | { type: 'hover'; point: Point | null }
  | { type: 'press'; point: Point | null; touch: boolean }
  | { type: 'slide'; point: Point | null }
  | { type: 'release'; point: Point | null }
  | { type: 'confirm' }
  | { type: 'cancel' } // Escape, or the browser took the pointer away
  | { type: 'step'; dx: number; dy: number }
  | { type: 'enter' }
  | { type: 'type'; character: string }
  | { type: 'erase' };

/** What the hand has to know of the board. */
export interface Table {
  size: Size;
  placing: Placing;
  open: boolean; // it is this hand's turn
  free(point: Point): boolean;
  /** A point that is better asked about twice: it loses. */
  risky(point: Point): boolean;
  barred(point: Point): boolean;
}

export interface Outcome {
  hand: Hand;
  play: Point | null;
}

export function handle(before: Hand, input: Input, table: Table): Outcome {
  const hand = input.type === 'hover' ? before : { ...before, refused: null };
  const only = (change: Partial<Hand>): Outcome => ({ hand: { ...hand, ...change }, play: null });
  switch (input.type) {
    case 'hover':
      return only({ hover: input.point });
    case 'press':
      if (!table.open) return only({ hover: null });
      return only({ hover: null, pressed: input.point, aim: slides(table, input.touch) ? input.point : null });
    case 'slide':
      return hand.pressed && hand.aim !== null ? only({ aim: input.point ?? hand.aim }) : only({});
    case 'release':
      return release(hand, input.point, table);
    case 'confirm':
      return hand.chosen && table.open ? attempt(hand, hand.chosen, table) : only({});
    case 'cancel':
      return only({ pressed: null, aim: null, chosen: null, typed: '', hover: null });
    case 'step':
      return only({ cursor: step(hand.cursor, input, table.size), typed: '', chosen: null });
    case 'enter':
      return enter({ ...hand, typed: '' }, hand.typed, table);
    case 'type':
      return type(hand, hand.typed + input.character.toLowerCase(), table);
    case 'erase':
      return type(hand, hand.typed.slice(0, -1), table);
  }
}

/** Whether a finger that slides takes the aim with it. */
function slides(table: Table, touch: boolean): boolean {
  return table.placing === 'drag' || (table.placing === 'confirm' && touch);
}

function release(hand: Hand, point: Point | null, table: Table): Outcome {
  const { pressed } = hand;
  const slid = hand.aim !== null;
  const up = { ...hand, pressed: null, aim: null };
  if (!pressed || !point || !table.open) return { hand: { ...up, chosen: pressed ? null : hand.chosen }, play: null };
  const still = samePoint(pressed, point);
  if (table.placing === 'drag') return attempt(up, point, table);
  if (!still && !slid) return { hand: up, play: null }; // let go elsewhere: not meant
  if (table.placing === 'direct') return attempt(up, point, table);
  if (still && samePoint(point, hand.chosen)) return attempt(up, point, table);
  return choose(up, point, table);
}

function choose(hand: Hand, point: Point, table: Table): Outcome {
  if (table.barred(point)) return refuse(hand, { why: 'barred', point });
  return { hand: { ...hand, chosen: table.free(point) ? point : null }, play: null };
}

/** Plays at the cursor, which is where the typed point is. Keys, unlike a pointer, are told why not. */
function enter(hand: Hand, typed: string, table: Table): Outcome {
  if (!table.open) return { hand, play: null };
  if (typed !== '' && !parsePoint(typed, table.size)) return refuse(hand, { why: 'nowhere', typed });
  if (!hand.cursor) return { hand, play: null };
  if (!table.free(hand.cursor)) return refuse(hand, { why: 'taken', point: hand.cursor });
  return attempt(hand, hand.cursor, table);
}

function refuse(hand: Hand, refused: Refused): Outcome {
  return { hand: { ...hand, chosen: null, refused }, play: null };
}

function attempt(hand: Hand, point: Point, table: Table): Outcome {
  const sure = table.free(point) && !table.barred(point) && (!table.risky(point) || samePoint(point, hand.chosen));
  if (!sure) return choose(hand, point, table);
  return { hand: { ...hand, chosen: null, hover: null }, play: point };
}

function step(cursor: Point | null, by: { dx: number; dy: number }, { width, height }: Size): Point {
  if (!cursor) return { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const within = (value: number, side: number): number => Math.min(Math.max(value, 0), side - 1);
  return { x: within(cursor.x + by.dx, width), y: within(cursor.y + by.dy, height) };
}

function type(hand: Hand, typed: string, table: Table): Outcome {
  const [last = ''] = /[a-z]?\d*$/.exec(typed) ?? []; // another letter begins another point
  const kept = last.slice(0, 4);
  return { hand: { ...hand, typed: kept, cursor: parsePoint(kept, table.size) ?? hand.cursor }, play: null };
}
