// Clock arithmetic, the same as the server's; it decides, we only show.

import type { Clock, TimeControl } from './protocol';

export function unlimited(control: TimeControl): boolean {
  return !control.main && !control.periods;
}

export interface Face {
  /** Milliseconds to show: of the main time, or of the current period. */
  left: number;
  /** Byo-yomi periods left, the current one included; 0 under other clocks. */
  periods: number;
  /** True once the main time is used up and a period is running. */
  overtime: boolean;
  /** Little enough left to be worried. */
  low: boolean;
}

/** What a clock shows when the turn has lasted for `spent`. */
export function face(control: TimeControl, clock: Clock, spent: number): Face {
  const period = control.period ?? 0;
  const periods = clock.periods ?? 0;
  const late = spent - clock.main;
  if (late < 0 || periods === 0 || period === 0) {
    const left = Math.max(0, -late);
    return { left, periods, overtime: false, low: periods === 0 && left < lowBelow(control) };
  }
  const gone = Math.floor(late / period);
  if (gone >= periods) return { left: 0, periods: 0, overtime: true, low: true };
  const left = period - (late - gone * period);
  return { left, periods: periods - gone, overtime: true, low: left < Math.min(10_000, period / 3) };
}

/** A tenth of the main time, but from 10 to 30 seconds. */
function lowBelow(control: TimeControl): number {
  return Math.min(30_000, Math.max(10_000, (control.main ?? 0) / 10));
}

/** "4:05", "1:02:03", and tenths when every one counts: "0:09.4". */
export function clockText(ms: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  if (ms < 10_000) {
    const tenths = Math.floor(ms / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = Math.floor(ms / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (days > 0) return `${days}d ${two(hours % 24)}h`;
  if (hours > 0) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/** "0:12": for waiting times, which never need tenths. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds >= 3600) return clockText(seconds * 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
