import { describe, expect, it } from 'vitest';
import { emptyHand, handle, type Hand, type Input, type Table } from '../src/placing';
import type { Placing } from '../src/settings';

const h8 = { x: 7, y: 7 };
const i9 = { x: 8, y: 8 };
const taken = { x: 0, y: 0 };
const risky = { x: 1, y: 1 };
const barred = { x: 2, y: 2 };

function table(placing: Placing, open = true): Table {
  const is = (a: { x: number; y: number }) => (b: { x: number; y: number }) => a.x === b.x && a.y === b.y;
  return { size: { width: 15, height: 15 }, placing, open, free: (p) => !is(taken)(p), risky: is(risky), barred: is(barred) };
}

/** Runs inputs and returns the last hand and every point that was played. */
function run(on: Table, ...inputs: Input[]): { hand: Hand; played: object[] } {
  let hand = emptyHand;
  const played: object[] = [];
  for (const input of inputs) {
    const outcome = handle(hand, input, on);
    hand = outcome.hand;
    if (outcome.play) played.push(outcome.play);
  }
  return { hand, played };
}

const press = (point: typeof h8 | null, touch = true): Input => ({ type: 'press', point, touch });
const release = (point: typeof h8 | null): Input => ({ type: 'release', point });
const slide = (point: typeof h8 | null): Input => ({ type: 'slide', point });

describe('direct', () => {
  const on = table('direct');
  it('plays on release', () => expect(run(on, press(h8), release(h8)).played).toEqual([h8]));
  it('not on press', () => expect(run(on, press(h8)).played).toEqual([]));
  it('not when let go elsewhere', () => expect(run(on, press(h8), slide(i9), release(i9)).played).toEqual([]));
  it('not when the browser takes the finger', () => expect(run(on, press(h8), { type: 'cancel' }, release(h8)).played).toEqual([]));
  it('not on a stone', () => expect(run(on, press(taken), release(taken)).played).toEqual([]));
  it("not in the opponent's turn", () => expect(run(table('direct', false), press(h8), release(h8)).played).toEqual([]));
  it('not on a point that is refused, of which it says so until the next try', () => {
    const { hand, played } = run(on, press(barred), release(barred), { type: 'hover', point: i9 });
    expect([hand.refused, played]).toEqual([{ why: 'barred', point: barred }, []]);
    expect(run(on, press(barred), release(barred), press(i9)).hand.refused).toBeNull();
  });
  it('asks before a point that loses', () => {
    const { hand, played } = run(on, press(risky), release(risky));
    expect([hand.chosen, played]).toEqual([risky, []]);
    expect(run(on, press(risky), release(risky), press(risky), release(risky)).played).toEqual([risky]);
  });
});

describe('tap, then confirm', () => {
  const on = table('confirm');
  it('chooses first', () => {
    const { hand, played } = run(on, press(h8), release(h8));
    expect([hand.chosen, played]).toEqual([h8, []]);
  });
  it('plays at the second tap', () => expect(run(on, press(h8), release(h8), press(h8), release(h8)).played).toEqual([h8]));
  it('plays at the button', () => expect(run(on, press(h8), release(h8), { type: 'confirm' }).played).toEqual([h8]));
  it('changes the choice', () => expect(run(on, press(h8), release(h8), press(i9), release(i9)).hand.chosen).toEqual(i9));
  it('lets the finger slide to the point', () => expect(run(on, press(h8), slide(i9), release(i9)).hand.chosen).toEqual(i9));
  it('never plays by sliding', () => expect(run(on, press(i9), release(i9), press(h8), slide(i9), release(i9)).played).toEqual([]));
  it('gives up outside the board', () => expect(run(on, press(h8), release(null)).hand.chosen).toBeNull());
  it('gives up at Escape', () => expect(run(on, press(h8), release(h8), { type: 'cancel' }).hand.chosen).toBeNull());
  it('forgets the choice on a stone', () => expect(run(on, press(h8), release(h8), press(taken), release(taken)).hand.chosen).toBeNull());
});

describe('drag', () => {
  const on = table('drag');
  it('plays where the finger leaves', () => expect(run(on, press(h8), slide(i9), release(i9)).played).toEqual([i9]));
  it('aims meanwhile', () => expect(run(on, press(h8), slide(i9)).hand.aim).toEqual(i9));
  it('cancels outside the board', () => expect(run(on, press(h8), slide(null), release(null)).played).toEqual([]));
  it('must begin on the board', () => expect(run(on, press(null), slide(h8), release(h8)).played).toEqual([]));
});

describe('keyboard', () => {
  const on = table('direct');
  const type = (...characters: string[]): Input[] => characters.map((character) => ({ type: 'type', character }));
  it('begins in the middle and walks', () =>
    expect(run(on, { type: 'step', dx: 0, dy: 0 }, { type: 'step', dx: 1, dy: 1 }).hand.cursor).toEqual(i9));
  it('stays on the board', () => {
    const steps = Array.from({ length: 20 }, (): Input => ({ type: 'step', dx: -1, dy: 0 }));
    expect(run(on, ...steps).hand.cursor).toEqual({ x: 0, y: 7 });
  });
  it('plays at Enter', () => expect(run(on, { type: 'step', dx: 0, dy: 0 }, { type: 'enter' }).played).toEqual([h8]));
  it('needs no second key in the confirming mode', () =>
    expect(run(table('confirm'), { type: 'step', dx: 0, dy: 0 }, { type: 'enter' }).played).toEqual([h8]));
  it('reads a point', () => expect(run(on, ...type('I', '9'), { type: 'enter' }).played).toEqual([i9]));
  it('mends a slip', () => expect(run(on, ...type('i', '8'), { type: 'erase' }, ...type('9'), { type: 'enter' }).played).toEqual([i9]));
  it('takes another letter for the beginning of another point', () =>
    expect(run(on, ...type('h', '1', 'i', '9'), { type: 'enter' }).played).toEqual([i9]));
  it.each(['q4', 'z9', 'a16', 'h0', '8', 'h'])('says that there is no point %s, and plays nothing', (name) => {
    const { hand, played } = run(on, { type: 'step', dx: 0, dy: 0 }, ...type(...name), { type: 'enter' });
    expect([hand.refused, hand.typed, played]).toEqual([{ why: 'nowhere', typed: name }, '', []]);
  });
  it('says that a point is taken', () => {
    const { hand, played } = run(on, ...type('a', '1'), { type: 'enter' });
    expect([hand.refused, played]).toEqual([{ why: 'taken', point: taken }, []]);
    expect(run(on, ...type('a', '1'), { type: 'enter' }, ...type('i')).hand.refused).toBeNull();
  });
  it("says nothing in the opponent's turn", () => expect(run(table('direct', false), ...type('q', '4'), { type: 'enter' }).hand.refused).toBeNull());
  it('forgets at Escape', () => expect(run(on, ...type('h'), { type: 'cancel' }).hand.typed).toBe(''));
  it('asks before a point that loses', () => expect(run(on, ...type('b', '2'), { type: 'enter' }).played).toEqual([]));
});
