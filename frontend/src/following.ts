// The rooms that this page follows, each with the version it has. Listeners get
// every event once and in order, whatever the line does.

import type { Command, EventsMessage, RoomMessage, ServerMessage } from './protocol';
import { refusalWords } from './text';

export interface RoomListener {
  /** The whole room: at first, and when too much was missed. */
  room(message: RoomMessage): void;
  /** What came since; never with a gap. */
  events(message: EventsMessage): void;
  spectators(count: number): void;
  /** The server does not know the room, or will not let us follow it: if it is `busy`, not yet. */
  refused(code: string, text: string): void;
}

interface Followed {
  listeners: Set<RoomListener>;
  epoch: string | null;
  version: number;
  joining: string | null; // the id of a join that is not answered yet
  putOff: boolean; // the server was too busy for a join
}

export interface Following {
  follow(room: string, listener: RoomListener, connected: boolean): () => void;
  receive(message: ServerMessage): void;
  /** After a reconnect: asks for what was missed. */
  rejoin(): void;
  /** Another player now looks: what was known may look different. */
  forget(): void;
}

/** How long a node that is busy is left alone, in milliseconds. */
const busyPause = 2_000;

export function createFollowing(send: (command: Command) => string): Following {
  const rooms = new Map<string, Followed>();

  function join(room: string, followed: Followed): void {
    const known = followed.epoch === null ? {} : { epoch: followed.epoch, have: followed.version };
    followed.joining = send({ type: 'join', room, ...known });
  }

  function joinLater(room: string, followed: Followed, pause: number): void {
    setTimeout(() => {
      if (rooms.get(room) === followed && followed.joining === null) join(room, followed);
    }, pause);
  }

  function catchUp(message: EventsMessage, followed: Followed): void {
    if (followed.epoch === null) return; // the snapshot will hold it
    const begin = message.version - message.events.length;
    if (begin > followed.version) {
      if (followed.joining === null) join(message.room, followed);
      return;
    }
    if (message.id !== undefined && message.id === followed.joining) followed.joining = null;
    const events = message.events.slice(followed.version - begin);
    if (message.version < followed.version) return;
    followed.version = message.version;
    for (const listener of [...followed.listeners]) listener.events({ ...message, events });
  }

  return {
    follow(room, listener, connected) {
      let followed = rooms.get(room);
      if (followed) {
        followed.listeners.add(listener);
        // The state it needs is no longer at hand: ask for all of it again.
        followed.epoch = null;
      } else {
        followed = { listeners: new Set([listener]), epoch: null, version: 0, joining: null, putOff: false };
        rooms.set(room, followed);
      }
      if (connected) join(room, followed);
      return () => {
        followed.listeners.delete(listener);
        if (followed.listeners.size > 0 || rooms.get(room) !== followed) return;
        rooms.delete(room);
        send({ type: 'leave', room });
      };
    },
    receive(message) {
      if (!('room' in message) || message.room === undefined) return;
      const followed = rooms.get(message.room);
      if (!followed) return;
      switch (message.type) {
        case 'room':
          followed.epoch = message.epoch;
          followed.version = message.version;
          followed.joining = null;
          followed.putOff = false;
          for (const listener of [...followed.listeners]) listener.room(message);
          break;
        case 'events':
          catchUp(message, followed);
          break;
        case 'spectators':
          for (const listener of [...followed.listeners]) listener.spectators(message.count);
          break;
        case 'error':
          if (message.id !== followed.joining) break;
          followed.joining = null;
          if (message.code === 'busy') {
            joinLater(message.room, followed, message.retry ?? busyPause);
            if (followed.putOff) break; // it was said
            followed.putOff = true;
          }
          for (const listener of [...followed.listeners]) listener.refused(message.code, refusalWords(message));
      }
    },
    rejoin() {
      for (const [room, followed] of rooms) join(room, followed);
    },
    forget() {
      for (const followed of rooms.values()) followed.epoch = null;
    },
  };
}
