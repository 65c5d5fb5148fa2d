import type { BenchBrowser } from './browser.ts';
import { EMPTY_PAGE } from './extensions.ts';
import { byTurns, type Compared } from './rounds.ts';

/** Expression for the time in milliseconds from navigation to the first paint with content. */
export const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true }))`;

/**
 * Compares the time in milliseconds from navigation to first contentful paint for a page of the extension and for an
 * empty page.
 */
export function comparePaint(browser: BenchBrowser, page: string, rounds: number): Promise<Compared> {
  const firstPaint = async (path: string) => {
    const tab = await browser.open(`chrome-extension://${browser.extensionId}/${path}`);
    const time = await tab.evaluate<number>(FIRST_PAINT);
    await tab.close();
    return time;
  };
  return byTurns(
    rounds,
    () => firstPaint(page),
    () => firstPaint(EMPTY_PAGE),
  );
}
