// What a server keeps its games in: a folder, or a redis-server with one.

import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answered, freePort, run } from './process';

export type StoreKind = 'embedded' | 'redis';

export interface Store {
  /** The flags that tell a server of it. */
  flags: string[];
  close(): Promise<void>;
}

export async function openStore(kind: StoreKind): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'gomokud-e2e-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (kind === 'embedded') return { flags: ['--store', 'embedded', '--data', folder], close: remove };

  const port = await freePort();
  const redis = run('redis-server', ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'yes']);
  await answered('redis-server', redis, () => ping(port));
  return {
    flags: ['--store', `redis://127.0.0.1:${port}`],
    async close() {
      await redis.end('SIGKILL');
      await remove();
    },
  };
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.on('error', reject);
  });
}
