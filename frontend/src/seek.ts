// The search for an opponent. It belongs to the player, so that every tab shows it
// and can end it; the tab that began it goes to the game.

import type { Game, Seeking, ServerMessage } from './protocol';
import { createSignal, type Signal } from './signal';
import type { Socket } from './socket';
import { note, noted } from './storage';

export interface Seek {
  current: Signal<Seeking | null>;
  /** The room to which a search has led that another tab began. */
  found: Signal<string | null>;
  /** Resolves to what went wrong, in words, or to null. */
  start(game: Game): Promise<string | null>;
  cancel(): void;
}

const key = 'gomokud.search';

export function createSeek(socket: Socket, go: (room: string) => void): Seek {
  const current = createSignal<Seeking | null>(null);
  const found = createSignal<string | null>(null);
  let known = new Set<string>();
  let asked = 0; // searches that the server has not answered yet
  let ours = noted(key); // begun in this tab

  function claim(on: boolean): void {
    ours = on;
    note(key, on);
  }

  function show(search: Seeking): void {
    found.set(null);
    current.set(search);
  }

  function end(): void {
    current.set(null);
    claim(false);
  }

  async function start(game: Game): Promise<string | null> {
    claim(true);
    show({ game, since: socket.now() });
    asked++;
    const answer = await socket.send({ type: 'seek', game });
    asked--;
    if (answer.ok) return null;
    end();
    return answer.text;
  }

  function receive(message: ServerMessage): void {
    const wanted = current.get();
    switch (message.type) {
      case 'hello': {
        const news = message.rooms.find((room) => !known.has(room));
        known = new Set(message.rooms);
        if (!known.has(found.get() ?? '')) found.set(null);
        if (message.seeking) show(message.seeking);
        else if (!ours) current.set(null);
        else if (wanted && news !== undefined) arrive(news); // paired while the line was down
        else if (wanted) void start(wanted.game);
        break;
      }
      case 'seeking':
        show({ since: message.since, game: message.game });
        break;
      case 'unseeking':
        if (asked === 0) end(); // else it is about an earlier one
        break;
      case 'paired':
        known.add(message.room);
        if (wanted) arrive(message.room);
    }
  }

  function arrive(room: string): void {
    if (ours) go(room);
    else found.set(room);
    end();
  }

  socket.onMessage(receive);
  return {
    current,
    found,
    start,
    cancel() {
      end();
      void socket.send({ type: 'unseek' });
    },
  };
}
