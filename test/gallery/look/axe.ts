import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe about colors. All other rules have the same result in both themes. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the accessibility violations that axe finds in the page, one line each. Checks all rules, or only the given
 * rules.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // The full result would be hundreds of times larger than the violations alone. Axe would
  // download the style sheets before each run, which only rules that are off by default need.
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) });
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) => violations.map(
    ({ id, help, nodes }) => [id + ': ' + help, ...nodes.map(({ html }) => html)].join('\\n  ')))`);
}
