// The search for an opponent. It belongs to the whole page, so that one may read
// the rules meanwhile.

import type { Game, Seeking, ServerMessage } from './protocol';
import { createSignal, type Signal } from './signal';
import type { Socket } from './socket';

export interface Seek {
  current: Signal<Seeking | null>;
  /** Resolves to what went wrong, in the server's words, or to null. */
  start(game: Game): Promise<string | null>;
  cancel(): void;
}

export function createSeek(socket: Socket, found: (room: string) => void): Seek {
  const current = createSignal<Seeking | null>(null);
  let known = new Set<string>();
  let asked = 0; // searches that the server has not answered yet

  async function start(game: Game): Promise<string | null> {
    current.set({ game, since: socket.now() });
    asked++;
    const answer = await socket.send({ type: 'seek', game });
    asked--;
    if (answer.ok) return null;
    current.set(null);
    return answer.text;
  }

  function receive(message: ServerMessage): void {
    const wanted = current.get();
    switch (message.type) {
      case 'hello': {
        const news = message.rooms.find((room) => !known.has(room));
        known = new Set(message.rooms);
        if (message.seeking) current.set(message.seeking);
        else if (wanted && news !== undefined) arrive(news); // paired while the line was down
        else if (wanted) void start(wanted.game);
        break;
      }
      case 'seeking':
        if (wanted) current.set({ since: message.since, game: message.game });
        break;
      case 'unseeking':
        if (asked === 0) current.set(null); // else it is about an earlier one
        break;
      case 'paired':
        known.add(message.room);
        if (wanted) arrive(message.room);
    }
  }

  function arrive(room: string): void {
    current.set(null);
    found(room);
  }

  socket.onMessage(receive);
  return {
    current,
    start,
    cancel() {
      current.set(null);
      void socket.send({ type: 'unseek' });
    },
  };
}
