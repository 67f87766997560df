// Commands that wait for their answer. Each keeps its id until then, so that
// sending it again, also over another line, can do nothing twice.

import type { Command, ErrorMessage, ServerMessage } from './protocol';
import { refusalWords } from './text';

export type Answer =
  | { ok: true; room?: string; version?: number }
  | { ok: false; code: string; text: string }; // the text in the reader's language

interface Waiting {
  message: Command & { id: string };
  sent: number;
  attempts: number;
  resolve(answer: Answer): void;
}

export interface Outbox {
  newID(): string;
  send(command: Command, now: number): Promise<Answer>;
  /** Sends without keeping: for what only concerns the line itself. Returns the id. */
  sendOnce(command: Command): string;
  /** Sends again what waits, or only what was last sent before `since`. */
  resend(since?: number): void;
  receive(message: ServerMessage): void;
}

/** While the store cannot be reached nothing is lost by asking again. */
const busyPause = 1_500;

/** A limit that passes so soon is not worth a word to the player. */
const shortPause = 3_000;
const mostAttempts = 5;

export function createOutbox(transmit: (message: object) => void, random: () => number): Outbox {
  // Two tabs of one player must never choose the same id.
  const prefix = Array.from({ length: 10 }, () => Math.floor(random() * 36).toString(36)).join('');
  const waiting = new Map<string, Waiting>();
  let count = 0;

  const newID = (): string => `${prefix}-${++count}`;

  function settle(id: string | undefined, answer: Answer): void {
    const entry = id === undefined ? undefined : waiting.get(id);
    if (!entry) return;
    waiting.delete(entry.message.id);
    entry.resolve(answer);
  }

  /** Sends a refused command again in a while, if the refusal will pass; reports whether it does. */
  function retry({ id, code, retry: pause }: ErrorMessage): boolean {
    const entry = id === undefined ? undefined : waiting.get(id);
    const limited = code === 'too_many' && pause !== undefined && pause <= shortPause;
    if (!entry || (code !== 'busy' && !limited)) return false;
    if (limited && ++entry.attempts > mostAttempts) return false;
    setTimeout(() => {
      if (waiting.has(entry.message.id)) transmit(entry.message);
    }, pause ?? busyPause);
    return true;
  }

  return {
    newID,
    send: (command, now) =>
      new Promise((resolve) => {
        const message = { ...command, id: newID() };
        waiting.set(message.id, { message, sent: now, attempts: 0, resolve });
        transmit(message);
      }),
    sendOnce(command) {
      const id = newID();
      transmit({ ...command, id });
      return id;
    },
    resend(since = Infinity) {
      for (const { message, sent } of waiting.values()) if (sent < since) transmit(message);
    },
    receive(message) {
      if (message.type === 'ok') {
        const { room, version } = message;
        settle(message.id, { ok: true, ...(room !== undefined && { room }), ...(version !== undefined && { version }) });
      } else if (message.type === 'events' && message.by !== undefined) {
        settle(message.id, { ok: true, room: message.room, version: message.version });
      } else if (message.type === 'error') {
        if (!retry(message)) settle(message.id, { ok: false, code: message.code, text: refusalWords(message) });
      }
    },
  };
}
