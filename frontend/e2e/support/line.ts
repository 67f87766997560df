// The line between one person and the server: a relay that can break it, refuse it,
// or let it go deaf in either direction, as networks do.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Direction = 'up' | 'down'; // to the server, to the person

interface Pair {
  person: Socket;
  server: Socket;
  deaf: Set<Direction>;
}

export interface Line {
  url: string;
  /** Breaks every connection, so that both ends know. New ones get through. */
  drop(): void;
  /** Breaks every connection and lets none be made until `heal`. */
  cut(): void;
  /**
   * From now on nothing gets through in these directions, and nobody is told: neither
   * on connections that exist nor on new ones. After `heal` new connections are whole;
   * the deaf ones stay deaf, as behind a router that has forgotten them.
   */
  deafen(...directions: Direction[]): void;
  heal(): void;
  close(): Promise<void>;
}

export async function openLine(port: number): Promise<Line> {
  const pairs = new Set<Pair>();
  let refusing = false;
  let deaf: Direction[] = [];

  const relay = createServer((person) => {
    if (refusing) return void person.destroy();
    const server = connect(port, '127.0.0.1');
    const pair: Pair = { person, server, deaf: new Set(deaf) };
    pairs.add(pair);
    pass(pair, person, server, 'up');
    pass(pair, server, person, 'down');
  });

  function pass(pair: Pair, from: Socket, to: Socket, direction: Direction): void {
    const heard = (): boolean => !pair.deaf.has(direction);
    from.on('data', (data) => {
      if (heard()) to.write(data);
    });
    from.on('error', () => {}); // 'close' follows
    from.on('close', () => {
      if (heard()) to.destroy();
      if (pair.person.destroyed && pair.server.destroyed) pairs.delete(pair);
    });
  }

  const drop = (): void => {
    for (const { person, server } of pairs) {
      person.destroy();
      server.destroy();
    }
    pairs.clear();
  };
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    drop,
    cut() {
      refusing = true;
      drop();
    },
    deafen(...directions) {
      deaf = directions;
      for (const pair of pairs) for (const direction of directions) pair.deaf.add(direction);
    },
    heal() {
      refusing = false;
      deaf = [];
    },
    async close() {
      drop();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
