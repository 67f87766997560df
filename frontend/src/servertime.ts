// What the server's clock shows, from the answers to pings.

export interface ServerTime {
  /** A message said `now` and arrived at `received`; its way there is unknown. */
  hint(now: number, received: number): void;
  /** The answer to a ping. */
  sample(sent: number, received: number, now: number): void;
  /** The server's time when ours is `local`. */
  at(local: number): number;
  /** The usual time there and back, or null before the first answer. */
  rtt(): number | null;
}

const kept = 8;

export function createServerTime(): ServerTime {
  let offset = 0;
  let hinted = false;
  let average: number | null = null;
  let samples: { rtt: number; offset: number }[] = [];
  return {
    hint(now, received) {
      if (samples.length > 0 || hinted) return;
      hinted = true;
      offset = now - received;
    },
    sample(sent, received, now) {
      const rtt = Math.max(0, received - sent);
      average = average === null ? rtt : average * 0.7 + rtt * 0.3;
      samples = [...samples, { rtt, offset: now + rtt / 2 - received }].slice(-kept);
      // The quickest of the latest answers is off by half its way at most.
      offset = samples.reduce((best, one) => (one.rtt < best.rtt ? one : best)).offset;
    },
    at: (local) => local + offset,
    rtt: () => average,
  };
}
