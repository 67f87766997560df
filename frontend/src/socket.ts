// The line to the server: connect, stay connected, come back with what was not
// answered. Pages see rooms, events and answers, and the state of the line.

import { pauseBefore } from './backoff';
import { createFollowing, type RoomListener } from './following';
import { createOutbox, type Answer } from './outbox';
import { closeCodes, type Command, type ServerMessage } from './protocol';
import { createServerTime, type ServerTime } from './servertime';

export type LineState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  | { kind: 'waiting'; until: number } // for the next try
  | { kind: 'stopped'; code: number }; // the server does not want us back by ourselves

export interface Parts {
  open(): WebSocket;
  /** Asked for before a retry when a connection was refused: perhaps the session is gone. It may never settle. */
  renew(): Promise<unknown>;
  now(): number;
  random(): number;
}

export interface Socket {
  /** Resolves once the command is answered, however many lines that takes. */
  send(command: Command): Promise<Answer>;
  /** Follows a room until the returned function is called. */
  follow(room: string, listener: RoomListener): () => void;
  onMessage(listener: (message: ServerMessage) => void): () => void;
  onState(listener: (state: LineState) => void): () => void;
  state(): LineState;
  time: ServerTime;
  now(): number;
  start(): void;
  /** Connects at once if the line is down, and checks it if it seems up or coming up. */
  wake(): void;
  /** Closes the line and connects anew, as the same or another player. */
  restart(): void;
  /** Closes the line until `start`. */
  stop(): void;
}

const pingEvery = 8_000;
const patience = 10_000; // without any message this long after a ping the line is dead
const impatience = 3_000; // the same when the page has just woken up
const openWithin = 10_000;
const renewWithin = 4_000;
const resendAfter = 8_000;

export function createSocket(parts: Parts): Socket {
  const time = createServerTime();
  const messageListeners = new Set<(message: ServerMessage) => void>();
  const stateListeners = new Set<(state: LineState) => void>();
  let state: LineState = { kind: 'connecting' };
  let line: WebSocket | null = null;
  let greeted = false; // the server's hello has come on this line
  let tries = 0;
  let comeBackIn: number | null = null; // what the server asked for before it went
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let deathTimer: ReturnType<typeof setTimeout> | undefined;
  let deadline = 0; // of the death timer
  let pingTimer: ReturnType<typeof setInterval> | undefined;
  let ping: { id: string; sent: number } | null = null;

  const outbox = createOutbox(transmit, parts.random);
  const following = createFollowing((command) => outbox.sendOnce(command));

  function setState(next: LineState): void {
    state = next;
    for (const listener of [...stateListeners]) listener(next);
  }

  function transmit(message: object): void {
    if (greeted && line) line.send(JSON.stringify(message));
  }

  function connect(): void {
    forgetRetry();
    drop();
    setState({ kind: 'connecting' });
    const mine = parts.open();
    line = mine;
    // A handler of an earlier line must not speak for this one.
    const current = (): boolean => line === mine;
    mine.onmessage = (event) => {
      if (current()) receive(event.data);
    };
    mine.onclose = (event) => {
      if (current()) lost(event.code);
    };
    expectLife(openWithin);
  }

  /** Forgets the line; whatever it still says is not heard. */
  function drop(): void {
    clearTimeout(deathTimer);
    clearInterval(pingTimer);
    deathTimer = undefined;
    ping = null;
    greeted = false;
    const old = line;
    line = null;
    old?.close();
  }

  /** Gives the line up unless it says something in time. An earlier deadline stands. */
  function expectLife(within: number): void {
    const until = parts.now() + within;
    if (deathTimer !== undefined && deadline <= until) return;
    clearTimeout(deathTimer);
    deadline = until;
    deathTimer = setTimeout(() => lost(1006), within);
  }

  function lost(code: number): void {
    const refused = !greeted && code === 1006;
    drop();
    if (isFinal(code)) return setState({ kind: 'stopped', code });
    let pause = pauseBefore(tries++, parts.random);
    if (comeBackIn !== null) pause = comeBackIn * (1 + parts.random() / 2);
    comeBackIn = null;
    setState({ kind: 'waiting', until: parts.now() + pause });
    retryTimer = setTimeout(refused ? renewAndConnect : connect, pause);
  }

  /** The question may hang on a line as dead as ours, so it is not waited for forever. */
  function renewAndConnect(): void {
    const timer = setTimeout(connect, renewWithin);
    retryTimer = timer;
    const renewed = (): void => {
      if (retryTimer === timer) connect();
    };
    parts.renew().then(renewed, renewed);
  }

  function forgetRetry(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
  }

  function receive(data: unknown): void {
    clearTimeout(deathTimer);
    deathTimer = undefined;
    const message = parse(data);
    if (!message) return;
    switch (message.type) {
      case 'hello':
        greet(message.now);
        break;
      case 'bye':
        comeBackIn = message.retry;
        break;
      case 'pong':
        if (ping?.id === message.id) time.sample(ping.sent, parts.now(), message.now);
        ping = null;
        return;
      default:
        following.receive(message);
        outbox.receive(message);
    }
    for (const listener of [...messageListeners]) listener(message);
  }

  function greet(now: number): void {
    greeted = true;
    tries = 0;
    time.hint(now, parts.now());
    setState({ kind: 'open' });
    following.rejoin();
    outbox.resend();
    check(patience);
    pingTimer = setInterval(() => {
      check(patience);
      outbox.resend(parts.now() - resendAfter);
    }, pingEvery);
  }

  /** Sends a ping, unless one is under way; without a word from the server the line is given up. */
  function check(within: number): void {
    if (!ping) {
      ping = { id: outbox.newID(), sent: parts.now() };
      transmit({ type: 'ping', id: ping.id });
    }
    expectLife(within);
  }

  return {
    time,
    now: () => time.at(parts.now()),
    state: () => state,
    send: (command) => outbox.send(command, parts.now()),
    follow: (room, listener) => following.follow(room, listener, greeted),
    onMessage: (listener) => subscribe(messageListeners, listener),
    onState: (listener) => subscribe(stateListeners, listener),
    start: () => {
      if (!line) connect();
    },
    wake() {
      if (state.kind === 'open') check(impatience);
      else if (state.kind === 'connecting') expectLife(impatience);
      else if (state.kind === 'waiting') {
        tries = 0;
        connect();
      }
    },
    restart() {
      tries = 0;
      following.forget();
      connect();
    },
    stop() {
      forgetRetry();
      drop();
      setState({ kind: 'waiting', until: Infinity });
    },
  };
}

/** The server would only close the next line too: a person has to decide. */
function isFinal(code: number): boolean {
  return code === closeCodes.tooLargeFrame || (code >= closeCodes.badMessage && code < 5000);
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function parse(data: unknown): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null && 'type' in message ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}
