// Waiting for what must come true, with a bound that a busy machine does not reach.

import { setTimeout as pass } from 'node:timers/promises';

/** The longest that anything may take, in milliseconds. */
export const patience = 25_000;

/** Repeats the check, which expects something, until it passes. */
export async function soon(check: () => Promise<void>): Promise<void> {
  const asked = new Error('waited for here');
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() < deadline) {
        await pass(30);
        continue;
      }
      if (error instanceof Error) error.cause = asked; // the check alone does not say who asked
      throw error;
    }
  }
}
