// Addresses and pages: which path shows what, and how to get there without
// loading the document again.

import { parseMoves, parseSize } from './coords';
import type { RuleName } from './protocol';
import { createSignal, type Signal } from './signal';

/** A way to start a game; /?play=computer leads to its choices. */
export type Way = 'now' | 'friend' | 'computer';

const ways: readonly string[] = ['now', 'friend', 'computer'] satisfies Way[];

export const pathOfWay = (way: Way): string => `/?play=${way}`;

export type Route =
  | { page: 'lobby'; way: Way | null }
  | { page: 'help' }
  | { page: 'room'; room: string }
  | { page: 'game'; room: string; number: number; move: number | null }
  | { page: 'position'; size: string; rule: RuleName; moves: string[]; move: number | null }
  | { page: 'notfound' };

const rules = new Set(['freestyle', 'standard', 'caro', 'renju']);

export function parseRoute(path: string, query = ''): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second = '', third = '', fourth = ''] = parts;
  const move = moveOf(query);
  if (parts.length === 0) return { page: 'lobby', way: wayOf(query) };
  if (first === 'help' && parts.length === 1) return { page: 'help' };
  if (first === 'room' && /^[\w-]{1,64}$/.test(second)) {
    if (parts.length === 2) return { page: 'room', room: second };
    if (parts.length === 3 && /^[1-9]\d{0,3}$/.test(third)) {
      return { page: 'game', room: second, number: Number(third), move };
    }
  }
  if (first === 'position' && parseSize(second) && rules.has(third) && parts.length <= 4) {
    const moves = parseMoves(fourth);
    if (moves) return { page: 'position', size: second, rule: third as RuleName, moves, move };
  }
  return { page: 'notfound' };
}

function wayOf(query: string): Way | null {
  const way = new URLSearchParams(query).get('play') ?? '';
  return ways.includes(way) ? (way as Way) : null;
}

function moveOf(query: string): number | null {
  const text = new URLSearchParams(query).get('move') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}

export interface Router {
  /** What is shown now; new at every arrival, also at the same address. */
  current: Signal<Route>;
  go(path: string): void;
  /** Changes the shown address without a new page or history entry. */
  replace(path: string): void;
  /** Takes over the links and the buttons of the browser. */
  start(): void;
}

export function createRouter(): Router {
  const here = (): Route => parseRoute(location.pathname, location.search);
  const current = createSignal(here());
  const arrive = (): void => current.set(here());

  function go(path: string): void {
    history.pushState(null, '', path);
    scrollTo(0, 0);
    arrive();
  }

  function followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (parseRoute(link.pathname).page === 'notfound') return; // perhaps the server's own
    event.preventDefault();
    go(link.pathname + link.search);
  }

  return {
    current,
    go,
    replace: (path) => history.replaceState(null, '', path),
    start() {
      addEventListener('popstate', arrive);
      document.addEventListener('click', followLink);
    },
  };
}
