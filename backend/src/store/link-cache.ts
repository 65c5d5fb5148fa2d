import { LRUCache } from 'lru-cache';
import type { LinkStore, LinkTarget } from './store.ts';

/** How many links are kept at hand; bounds the memory. */
const MOST = 10_000;

/** How long a link may be answered from memory, in milliseconds. Another process's deletion shows after that. */
const STALE_AFTER = 900;

export interface LinkCache {
  /** The link if it is at hand. Synchronous, since a redirect should not wait a turn for what is known. */
  peek(code: string): LinkTarget | undefined;
  /** Asks the store. An unknown code is not kept, so that a new link resolves at once. */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Drops a link this process has just changed. */
  forget(code: string): void;
}

/** @param monotonic milliseconds of a clock that is never set back */
export function createLinkCache(links: LinkStore, monotonic = () => performance.now()): LinkCache {
  const perf = { now: monotonic };
  const cache = new LRUCache<string, LinkTarget>({ max: MOST, ttl: STALE_AFTER, ttlResolution: 0, perf });
  return {
    peek: (code) => cache.get(code),
    async fetch(code) {
      // The age counts from before the look-up: what it found may be gone by the time it is here.
      const start = monotonic();
      const target = await links.resolve(code);
      if (target) cache.set(code, target, { start });
      return target;
    },
    forget(code) {
      cache.delete(code);
    },
  };
}
