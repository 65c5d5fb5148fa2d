import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock-and-random.ts';
import { type Draw, type Throttle, takeFromThrottle } from './throttle-and-quota.ts';

/** Reads, edits and deletes: ten per second, twenty at once. They do not count against the quota. */
const READS: Throttle = { perSecond: 10, burst: 20 };

/** Number of reads that a search costs, since it reads thousands of links on the thread that redirects. */
const SEARCH_COST = 5;

/**
 * Maximum number of keys or accounts in memory. The least recently used is dropped, and may then send its whole burst
 * again.
 */
const MAX_READERS = 10_000;

/** Limits the reads of keys or accounts by their ids. Kept in memory, since it only protects this process. */
export function createReadLimit(clock: Clock): (reader: number, isSearch: boolean) => Draw {
  const dueAt = new LRUCache<number, number>({ max: MAX_READERS });
  return (reader, isSearch) => {
    const draw = takeFromThrottle(READS, dueAt.get(reader) ?? 0, clock(), isSearch ? SEARCH_COST : 1);
    dueAt.set(reader, draw.dueAt);
    return draw;
  };
}
