// The real program, on a port of its own that it keeps when it is started again.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { answered, freePort, run, type Program } from './process';
import type { Store } from './store';

export interface Server {
  port: number;
  start(): Promise<void>;
  /** As a power cut ends it. */
  kill(): Promise<void>;
  /** As an operator stops it: SIGTERM, and time to drain. */
  stop(): Promise<void>;
  tail(): string;
}

const binary = resolve(process.env.GOMOKUD_BIN ?? resolve(import.meta.dirname, '../../../bin/gomokud'));

export async function startServer(store: Store, flags: string[] = []): Promise<Server> {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: build it first (make build), or name another in GOMOKUD_BIN`);
  const port = await freePort();
  let program: Program | null = null;
  const before: string[] = []; // what earlier runs said
  const tail = (): string => [...before, program?.tail() ?? ''].join('\n');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await program?.end(signal);
    before.push(program?.tail() ?? '', `--- ended by ${signal}`);
    program = null;
  };
  const server: Server = {
    port,
    tail,
    async start() {
      const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GOMOKUD_')));
      program = run(binary, ['serve', '--addr', `127.0.0.1:${port}`, ...store.flags, ...flags], own);
      await answered('gomokud', program, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  await server.start();
  return server;
}
