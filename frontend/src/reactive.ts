// Where the modules without a framework meet the components: values that markup and
// effects follow for as long as they read them.

import { createSubscriber } from 'svelte/reactivity';

export interface Followed<T> {
  readonly current: T;
}

interface Source<T> {
  get(): T;
  on(changed: () => void): () => void;
}

export function follow<T>({ get, on }: Source<T>): Followed<T> {
  const subscribe = createSubscriber(on);
  return {
    get current() {
      subscribe();
      return get();
    },
  };
}

/** The time, read again every so many milliseconds. */
export function ticking(now: () => number, every: number): Followed<number> {
  const on = (tick: () => void): (() => void) => {
    const timer = setInterval(tick, every);
    return () => clearInterval(timer);
  };
  return follow({ get: now, on });
}
