import { cpus } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { StoreKind } from './support/store';

// Every scenario is played with each store; what is only looked at is looked at once.
const project = (store: StoreKind, include: string[]) => ({
  extends: true as const,
  test: { name: store, include, provide: { store } },
});

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite-e2e',
  test: {
    globalSetup: 'support/chromium.ts',
    pool: 'forks',
    // A browser and a server in each: more of them than processors only wait for each other.
    maxWorkers: Math.max(2, Math.min(4, cpus().length)),
    testTimeout: 90_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['verbose'],
    projects: [
      project('embedded', ['play/*.test.ts', 'look/*.test.ts']),
      project('redis', ['play/*.test.ts']),
    ],
  },
});

declare module 'vitest' {
  export interface ProvidedContext {
    store: StoreKind;
    chromium: string;
  }
}
