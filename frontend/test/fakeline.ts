// A server's end of the line, for tests: what was sent, and what arrives.

import type { Command, ServerMessage } from '../src/protocol';
import { createSocket, type Socket } from '../src/socket';

export type Sent = Command & { id: string };

export interface FakeLine {
  sent: Sent[];
  closed: boolean;
  /** A message of the server arrives. */
  say(message: ServerMessage): void;
  /** The line breaks, or the server closes it. */
  drop(code?: number): void;
  last(type: Command['type']): Sent | undefined;
}

export interface Bench {
  socket: Socket;
  lines: FakeLine[];
  line(): FakeLine;
  renewals: number;
  /** What a renewal waits for. */
  renewal: Promise<void>;
}

export const hello = (now = 1_000_000, extra: object = {}): ServerMessage => ({
  type: 'hello',
  protocol: 1,
  node: 'n1',
  now,
  you: { id: 'me', name: 'Quiet Crane' },
  rooms: [],
  seeking: null,
  ...extra,
});

/** A socket whose lines are fake; Date.now is expected to be fake too. */
export function createBench(): Bench {
  const lines: FakeLine[] = [];
  let seed = 1;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const bench: Bench = {
    lines,
    line: () => lines.at(-1)!,
    renewals: 0,
    renewal: Promise.resolve(),
    socket: createSocket({
      open: () => {
        const { line, socket } = fakeLine();
        lines.push(line);
        return socket;
      },
      renew: () => {
        bench.renewals++;
        return bench.renewal;
      },
      now: Date.now,
      random,
    }),
  };
  return bench;
}

function fakeLine(): { line: FakeLine; socket: WebSocket } {
  const sent: Sent[] = [];
  const socket = {
    onmessage: null as ((event: { data: string }) => void) | null,
    onclose: null as ((event: { code: number }) => void) | null,
    send: (data: string) => void sent.push(JSON.parse(data) as Sent),
    close: () => void (line.closed = true),
  };
  const line: FakeLine = {
    sent,
    closed: false,
    say: (message) => socket.onmessage?.({ data: JSON.stringify(message) }),
    drop: (code = 1006) => socket.onclose?.({ code }),
    last: (type) => sent.filter((message) => message.type === type).at(-1),
  };
  return { line, socket: socket as unknown as WebSocket };
}
