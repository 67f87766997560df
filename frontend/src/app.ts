// What every page needs to know of the whole.

import { createContext } from 'svelte';
import type { Person } from './protocol';
import type { Router } from './router';
import type { Seek } from './seek';
import type { Signal } from './signal';
import type { Socket } from './socket';

export interface App {
  socket: Socket;
  router: Router;
  me: Signal<Person | null>;
  /** Names of the rooms where this player has a game in progress. */
  rooms: Signal<string[]>;
  /** Whether the server says that it cannot store anything now. */
  storeDown: Signal<boolean>;
  seek: Seek;
  /** The session has another name now, and so another cookie. */
  renamed(me: Person): void;
}

export const [getApp, setApp] = createContext<App>();
