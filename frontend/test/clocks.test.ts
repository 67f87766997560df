import { describe, expect, it } from 'vitest';
import { controlOf, customOf } from '../src/lobby/clocks';
import type { TimeControl } from '../src/protocol';

describe("a clock of the player's own", () => {
  it.each<[string, TimeControl]>([
    ['main time', { main: 600_000 }],
    ['an increment', { main: 180_000, increment: 2_000 }],
    ['byo-yomi', { main: 300_000, period: 30_000, periods: 3 }],
    ['byo-yomi from the first move', { main: 0, period: 5_000, periods: 2 }],
    ['a fixed time per move', { period: 10_000, periods: 1 }],
  ])('is in the form as it was chosen: %s', (_, control) => expect(controlOf(customOf(control))).toEqual(control));

  it('with no clock yet begins with five minutes', () => expect(customOf({})).toMatchObject({ kind: 'fischer', minutes: 5 }));
});
