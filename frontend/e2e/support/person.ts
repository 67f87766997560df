// A person: a browser context with one or more tabs, on a line of their own.

import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { openLine, type Line } from './line';
import { createPlay, type Play } from './play';

export interface Wish {
  device?: 'desktop' | 'phone';
  /** Their line will break, which the browser reports as errors. */
  rough?: boolean;
  /** What they do will be refused with this HTTP status, which the browser reports as well. */
  refused?: number;
  context?: BrowserContextOptions;
}

export interface Person extends Play {
  page: Page;
  context: BrowserContext;
  line: Line;
  /** Another tab of the same browser. */
  tab(path: string): Promise<Play & { page: Page }>;
  /** Console errors, page errors and refused resources that nobody expected. */
  complaints(): string[];
  leave(): Promise<void>;
}

const devices: Record<'desktop' | 'phone', BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const brokenLine = /WebSocket connection to .* failed|net::ERR_|status of 50[23]/;

export async function openPerson(browser: Browser, port: number, { device = 'desktop', rough = false, refused, context: more }: Wish): Promise<Person> {
  const line = await openLine(port);
  const context = await browser.newContext({ baseURL: line.url, locale: 'en-GB', reducedMotion: 'reduce', ...devices[device], ...more });
  const complaints: string[] = [];
  const listen = (page: Page): Page => {
    page.on('console', (message: ConsoleMessage) => {
      const text = message.text();
      if (message.type() !== 'error' || (rough && brokenLine.test(text))) return;
      if (refused !== undefined && text.includes(`status of ${refused}`)) return;
      complaints.push(`console: ${text} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complaints.push(`page: ${error.stack ?? error.message}`));
    page.setDefaultTimeout(25_000);
    return page;
  };
  const page = listen(await context.newPage());
  return {
    ...createPlay(page),
    page,
    context,
    line,
    async tab(path) {
      const other = listen(await context.newPage());
      const play = { ...createPlay(other), page: other };
      await play.visit(path);
      return play;
    },
    complaints: () => complaints,
    async leave() {
      await context.close();
      await line.close();
    },
  };
}
