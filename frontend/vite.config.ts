import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const dist = join(import.meta.dirname, 'dist');

// The Go binary embeds dist, which therefore has to exist in a fresh checkout:
// its .gitkeep is committed and must survive a build.
const emptyDistButKeep = (): Plugin => ({
  name: 'empty-dist-but-keep',
  apply: 'build',
  buildStart() {
    for (const name of readdirSync(dist)) {
      if (name !== '.gitkeep') rmSync(join(dist, name), { recursive: true });
    }
  },
});

// `npm run dev` shows the page of a server that runs beside it.
const server = process.env.GOMOKUD_DEV_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte(), emptyDistButKeep()],
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
