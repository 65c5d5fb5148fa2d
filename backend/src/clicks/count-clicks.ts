import { setImmediate as tick } from 'node:timers/promises';
import type { ClickStore } from '../store/sql/click-queries.ts';

/**
 * Maximum number of clicks that one transaction counts. Redirects must wait for the transaction on SQLite, so the
 * number is small.
 */
const CLICKS_PER_SLICE = 500;

/**
 * Counts all waiting clicks. Stops early if another process is counting them. Clicks on links that no longer exist
 * are not counted.
 *
 * @param onDropped called with the number of clicks that were not counted
 */
export async function countClicks(
  clicks: Pick<ClickStore, 'count'>,
  onDropped: (clicks: number) => void,
): Promise<void> {
  for (;;) {
    const counted = await clicks.count(CLICKS_PER_SLICE);
    if (!counted) return;
    if (counted.dropped > 0) onDropped(counted.dropped);
    if (counted.clicks < CLICKS_PER_SLICE) return;
    await tick();
  }
}
