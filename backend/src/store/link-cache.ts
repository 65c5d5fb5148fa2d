import { LRUCache } from 'lru-cache';
import type { LinkStore, LinkTarget } from './store.ts';

/** How many links are kept at hand; bounds the memory. */
const MOST = 10_000;

/** How long links are answered from memory without asking whether any changed, in milliseconds. */
const TRUSTED_FOR = 900;

export interface LinkCache {
  /** The link if it is at hand. Synchronous, since a redirect should not wait a turn for what is known. */
  peek(code: string): LinkTarget | undefined;
  /** Asks the store. An unknown code is not kept, so that a new link resolves at once. */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Drops a link this process has just changed. */
  forget(code: string): void;
}

/**
 * Links at hand are trusted for less than a second, then the store is asked once whether any link has changed since.
 * Mostly none has, and all stay; otherwise all go, since links change far less often than they are followed.
 *
 * @param monotonic milliseconds of a clock that is never set back
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'changes'>,
  monotonic = () => performance.now(),
): LinkCache {
  const cache = new LRUCache<string, LinkTarget>({ max: MOST });
  let changes: number | null = null;
  let trustedUntil = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  /** Grows when something is dropped: a look-up that was under way meanwhile may have found what was dropped. */
  let drops = 0;

  const peek = (code: string) => (monotonic() < trustedUntil ? cache.get(code) : undefined);

  async function check(): Promise<void> {
    // The trust counts from before the question: the answer may be old by the time it is here.
    const start = monotonic();
    const now = await links.changes();
    if (now !== changes) {
      cache.clear();
      drops += 1;
    }
    changes = now;
    trustedUntil = start + TRUSTED_FOR;
  }

  return {
    peek,
    async fetch(code) {
      if (monotonic() >= trustedUntil) {
        checking ??= check().finally(() => {
          checking = null;
        });
        await checking;
        const known = peek(code);
        if (known) return known;
      }
      const before = drops;
      const target = await links.resolve(code);
      if (target && drops === before) cache.set(code, target);
      return target;
    },
    forget(code) {
      cache.delete(code);
      drops += 1;
    },
  };
}
