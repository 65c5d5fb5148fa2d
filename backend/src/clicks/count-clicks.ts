import { setImmediate as tick } from 'node:timers/promises';
import { type ClickStore, UNSORTED } from '../store/sql/click-queries.ts';

/**
 * Number of clicks that one transaction counts. Redirects must wait for the transaction on SQLite, so the number is
 * small. Sorting a click takes a fifth of the time.
 */
export const CLICKS_PER_SLICE = 1000;
const SORTED_PER_SLICE = 5 * CLICKS_PER_SLICE;

/**
 * Counts all waiting clicks in slices. If there are several slices, first sorts the clicks by link, because counting
 * the clicks of one link together is several times faster. Stops early if another process is counting. Clicks on links
 * that no longer exist are not counted.
 *
 * @param onDropped called with the number of clicks that were not counted
 */
export async function countClicks(
  clicks: Pick<ClickStore, 'waiting' | 'findBounds' | 'sort' | 'count'>,
  onDropped: (clicks: number) => void,
): Promise<void> {
  const waiting = await clicks.waiting();
  if (waiting.clicks === 0) return;
  const buckets = Math.ceil(waiting.clicks / CLICKS_PER_SLICE);
  if (buckets > 1) {
    const bounds = await clicks.findBounds(buckets);
    while ((await clicks.sort(bounds, SORTED_PER_SLICE)) >= SORTED_PER_SLICE) await tick();
  }
  // A process that was killed can have left clicks in higher buckets.
  for (let bucket = Math.max(buckets, waiting.bucket); bucket >= UNSORTED; ) {
    const counted = await clicks.count(bucket, CLICKS_PER_SLICE);
    if (!counted) return;
    if (counted.dropped > 0) onDropped(counted.dropped);
    if (counted.clicks < CLICKS_PER_SLICE) bucket -= 1;
    await tick();
  }
}
