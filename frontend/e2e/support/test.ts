// What every scenario gets: a server with the store of this run, and people who come
// with browsers of their own.

import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { inject, test as base, type TestContext } from 'vitest';
import { openPerson, type Person, type Wish } from './person';
import { startServer, type Server } from './server';
import { openStore, type Store } from './store';

export { describe, expect } from 'vitest';

export interface World {
  store: Store;
  /** Shared by the scenarios of a file. */
  server: Server;
  browser: Browser;
  /** What the pages of this scenario complained about, once their people have left. */
  complaints: string[];
  /** A person with a browser of their own, who comes to the file's server, or to the one wished for. */
  person(wish?: Wish & { server?: Server }): Promise<Person>;
  /** A server for this scenario alone, which it may kill and start again. */
  ownServer(...flags: string[]): Promise<Server>;
}

const shots = process.env.E2E_SHOTS ?? join(tmpdir(), 'gomokud-e2e-failures');

export const test = base.extend<World>({
  browser: [
    async ({}, use) => {
      const browser = await chromium.connect(inject('chromium'));
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  store: [
    async ({}, use) => {
      const store = await openStore(inject('store'));
      await use(store);
      await store.close();
    },
    { scope: 'file' },
  ],
  server: [
    async ({ store }, use) => {
      const server = await startServer(store);
      await use(server);
      await server.stop();
    },
    { scope: 'file' },
  ],
  // Everything else depends on it, so that it is judged last: a fixture that fails
  // while it ends keeps those from ending that began before it.
  complaints: async ({ task }, use) => {
    const complaints: string[] = [];
    await use(complaints);
    if (complaints.length > 0 && !failed(task)) throw new Error(`the pages complained:\n${complaints.join('\n')}`);
  },
  ownServer: async ({ task, complaints: _judgedLast }, use) => {
    const closing: (() => Promise<void>)[] = [];
    const tails: (() => string)[] = [];
    await use(async (...flags) => {
      const store = await openStore(inject('store'));
      closing.unshift(store.close);
      const server = await startServer(store, flags);
      closing.unshift(server.kill);
      tails.push(server.tail);
      return server;
    });
    if (failed(task)) for (const tail of tails) console.error(`the server said:\n${tail()}`);
    for (const close of closing) await close();
  },
  person: async ({ browser, server, task, complaints }, use) => {
    const people: Person[] = [];
    await use(async ({ server: other, ...wish } = {}) => {
      const person = await openPerson(browser, (other ?? server).port, wish);
      people.push(person);
      return person;
    });
    if (failed(task)) {
      console.error(`the server said:\n${server.tail()}`);
      await mkdir(shots, { recursive: true });
      for (const [i, person] of people.entries()) {
        const path = join(shots, `failed-${inject('store')}-${task.name.replace(/\W+/g, '-')}-${i + 1}.png`);
        await person.page.screenshot({ path }).then(() => console.error(`person ${i + 1} sees ${path}`), () => {});
        for (const complaint of person.complaints()) console.error(`person ${i + 1}: ${complaint}`);
      }
    }
    complaints.push(...people.flatMap((person) => person.complaints()));
    for (const person of people) await person.leave();
  },
});

function failed(task: TestContext['task']): boolean {
  return task.result?.state === 'fail';
}
