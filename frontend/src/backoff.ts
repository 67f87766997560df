// How long to wait before the next try to connect.

const first = 150; // most broken lines are whole again at once
const growth = 2;
const longest = 5_000; // a clock may be running

/**
 * The pause before try number `tries` (from 0). Half of it is chance, so that
 * thousands of pages do not come back to a restarted server in step.
 */
export function pauseBefore(tries: number, random: () => number): number {
  const full = Math.min(longest, first * growth ** tries);
  return full / 2 + (full / 2) * random();
}
