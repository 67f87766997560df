// The clocks to choose from: one of the server's, or one of the player's own.

import type { Options } from '../api';
import { unlimited } from '../clock';
import type { TimeControl } from '../protocol';

/** A clock in the words of its form: minutes and seconds. */
export interface Custom {
  kind: 'fischer' | 'byoyomi' | 'perMove';
  minutes: number;
  increment: number;
  period: number;
  periods: number;
}

export const sameClock = (a: TimeControl, b: TimeControl): boolean =>
  (['main', 'increment', 'period', 'periods'] as const).every((key) => (a[key] ?? 0) === (b[key] ?? 0));

/** The name that the server has for a clock, or ''. */
export function presetOf(options: Options, control: TimeControl): string {
  return options.clocks.find(({ clock }) => sameClock(clock, control))?.name ?? '';
}

export function customOf(control: TimeControl): Custom {
  const { main = 0, increment = 0, period = 30_000, periods = 3 } = unlimited(control) ? {} : control;
  let kind: Custom['kind'] = 'fischer';
  if (control.periods) kind = main > 0 || periods > 1 ? 'byoyomi' : 'perMove';
  const minutes = kind === 'byoyomi' ? main / 60_000 : main / 60_000 || 5;
  return { kind, minutes, increment: increment / 1000, period: period / 1000, periods };
}

export function controlOf({ kind, minutes, increment, period, periods }: Custom): TimeControl {
  const ms = { main: Math.round(minutes * 60_000), period: Math.round(period * 1000), increment: Math.round(increment * 1000) };
  if (kind === 'fischer') return { main: ms.main, ...(ms.increment > 0 && { increment: ms.increment }) };
  if (kind === 'byoyomi') return { main: ms.main, period: ms.period, periods };
  return { period: ms.period, periods: 1 };
}
