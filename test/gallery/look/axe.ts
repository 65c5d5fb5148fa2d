import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that look at colours: in another theme all others find the same. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the page as it is, one line each: by all its rules, or by those that are named. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // The page sends what is wrong alone: all that axe has looked at is hundreds of times as much.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) => violations.map(
    ({ id, help, nodes }) => [id + ': ' + help, ...nodes.map(({ html }) => html)].join('\\n  ')))`);
}
