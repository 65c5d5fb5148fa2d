import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock-and-random.ts';
import { type Draw, type Throttle, takeFromThrottle } from './throttle-and-quota.ts';

/** Rate limit for reading, editing and deleting links. These requests do not count against the daily quota. */
const READS: Throttle = { perSecond: 10, burst: 20 };

/** Number of read requests that a search counts as. Searches are expensive, because they read thousands of links. */
const SEARCH_COST = 5;

/**
 * Maximum number of API keys or accounts whose usage is kept in memory. The least recently used entry is dropped
 * first.
 */
const MAX_READERS = 10_000;

/**
 * Limits the read requests of each API key or account. The usage is stored only in memory, because each process
 * protects only itself.
 */
export function createReadLimit(clock: Clock): (reader: number, isSearch: boolean) => Draw {
  const dueAt = new LRUCache<number, number>({ max: MAX_READERS });
  return (reader, isSearch) => {
    const draw = takeFromThrottle(READS, dueAt.get(reader) ?? 0, clock(), isSearch ? SEARCH_COST : 1);
    dueAt.set(reader, draw.dueAt);
    return draw;
  };
}
