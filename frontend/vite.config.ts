import { svelte } from '@sveltejs/vite-plugin-svelte';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const dist = join(import.meta.dirname, 'dist');

// The Go binary embeds dist, which therefore has to exist in a fresh checkout:
// its .gitkeep is committed and must survive a build. An image is made without it.
const emptyDistButKeep = (): Plugin => ({
  name: 'empty-dist-but-keep',
  apply: 'build',
  buildStart() {
    mkdirSync(dist, { recursive: true });
    for (const name of readdirSync(dist)) {
      if (name !== '.gitkeep') rmSync(join(dist, name), { recursive: true });
    }
  },
});

/** In bytes, compressed: nothing is to be seen before this script is there. */
const mostAtFirst = 60_000;

const keepFirstScriptSmall = (): Plugin => ({
  name: 'keep-first-script-small',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const first = chunks.filter(({ isDynamicEntry }) => !isDynamicEntry);
    const size = first.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    if (size > mostAtFirst) this.error(`the first script has ${size} bytes compressed; ${mostAtFirst} are allowed: import() what is not needed at once`);
  },
});

// `npm run dev` shows the page of a server that runs beside it.
const server = process.env.GOMOKUD_DEV_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte(), emptyDistButKeep(), keepFirstScriptSmall()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': server,
      '/session': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: { include: ['test/**/*.test.ts'], environment: 'node' },
});
