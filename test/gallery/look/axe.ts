import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules about colors. The other rules give the same result in every theme. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the accessibility violations that axe finds in the page, one line each. Checks all rules, or only the named
 * ones.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // Only violations are requested, because the full result is hundreds of times as large.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) => violations.map(
    ({ id, help, nodes }) => [id + ': ' + help, ...nodes.map(({ html }) => html)].join('\\n  ')))`);
}
