// Programs that a test runs, with the end of what they said, and the certainty that
// they end with the test.

import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';

export interface Program {
  /** Sends the signal and resolves once the program has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  ended(): boolean;
  /** The last lines that it said. */
  tail(): string;
}

const kept = 60; // lines
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// Ended from outside, a process says no goodbye unless it listens.
for (const ending of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(ending, () => process.exit(1));

export function run(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Program {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said: string[] = [''];
  const hear = (chunk: Buffer): void => {
    const lines = chunk.toString().split('\n');
    said[said.length - 1] += lines.shift() ?? '';
    said = [...said, ...lines].slice(-kept);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  running.add(child);
  const over = new Promise<void>((resolve) => {
    const done = (): void => {
      running.delete(child);
      resolve();
    };
    child.on('error', (error) => {
      said.push(`${command} does not start: ${error.message}`);
      done();
    });
    child.on('exit', done);
  });
  return {
    ended: () => !running.has(child),
    tail: () => said.join('\n'),
    end(signal) {
      if (running.has(child)) child.kill(signal);
      return over;
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Tries until it succeeds or the program has ended or time is up. */
export async function answered(what: string, program: Program, attempt: () => Promise<boolean>, within = 20_000): Promise<void> {
  const deadline = Date.now() + within;
  while (!program.ended() && Date.now() < deadline) {
    if (await attempt().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} does not answer. It said:\n${program.tail()}`);
}
