// One Chromium for the whole run. Each person in it has a context of their own.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

const executablePath = process.env.CHROMIUM_BIN ?? '/usr/bin/chromium';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(executablePath)) throw new Error(`${executablePath} is missing: the tests need a Chromium (see scripts/test-needs)`);
  const server = await chromium.launchServer({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
