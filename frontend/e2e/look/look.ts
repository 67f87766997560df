// Looks at a page as it stands, in light and in dark: axe's findings, and a picture if
// somebody wants to see it.

import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Person } from '../support/person';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = process.env.E2E_SHOTS;

/** Serious and critical findings, each as a line. */
export async function look({ page }: Person, device: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Transitions of colours would be measured half-way.
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
    // As a script element it would be stopped by the content security policy.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(
      (options) => (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options),
      colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] }, // nothing else is different in the dark
    );
    if (passes.length === 0) throw new Error(`axe saw nothing on ${name}`);
    for (const { id, impact, help, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      for (const { target, failureSummary } of nodes) {
        found.push(`${name}, ${device}, ${colorScheme}: ${id} (${help}) at ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`);
      }
    }
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name.replace(/\W+/g, '-')}-${device}-${colorScheme}.png`) });
    }
  }
  return found;
}
