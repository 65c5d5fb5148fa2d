import { limitSize } from '../domain/bounded-map.ts';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import type { LinkStore } from '../store/interface/link-store.ts';
import { batchLookUps } from '../store/sql/batch-queries.ts';

/** Slots for the ids of recently found links, to each link in the cache: so many that two of these seldom share one. */
const SLOTS_PER_LINK = 1.6;

/** How long links are answered from memory without asking whether any changed, in milliseconds. */
const TRUSTED_FOR = 900;

/** How long the store may take to answer that before cached links are used anyway, in milliseconds. */
const PATIENCE = 500;

/** How long links at hand are answered while the store does not say whether any changed, in milliseconds. */
const STALE_FOR = 60_000;

export interface LinkCache {
  /** The link if it is at hand. Synchronous, since a redirect should not wait a tick for what is known. */
  peek(code: string): LinkTarget | undefined;
  /** Asks the store, with all that ask in this tick. An unknown code is not kept, so that a new link resolves at once. */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Drops a link this process has just changed. */
  forget(code: string): void;
}

/**
 * Links at hand are trusted for less than a second, then the store is asked once which links have changed since. Those go;
 * all go where too many have, nobody says which, or nobody asked for a minute. While the store does not answer they stay for up to a minute: a
 * redirect that may be out of date is worth more than none.
 *
 * What is not at hand is looked up together with all that is asked for in the same tick of the event loop. A link is kept
 * from the second time on: where many are followed once, keeping each would only push out those that are followed often,
 * and make garbage.
 *
 * @param options `most` links are kept, which bounds the memory; `monotonic`: milliseconds of a clock that is never set back
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'changesSince'>,
  { most, monotonic = () => performance.now() }: { most: number; monotonic?: () => number },
): LinkCache {
  const cache = new Map<string, LinkTarget>();
  /** Ids of links found lately, each in the one slot it may have. */
  const seen = new Float64Array(Math.max(1, Math.ceil(SLOTS_PER_LINK * most)));
  let changes: number | null = null;
  /** Since when, and until when, it is known that no link has changed. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let trustedUntil = Number.NEGATIVE_INFINITY;
  let confirming: Promise<void> | null = null;
  let askAgainAt = Number.NEGATIVE_INFINITY;
  /** Whether the store failed to answer when it was last asked, or has not answered for too long. */
  let isSilent = false;
  /** Grows when something is dropped: a look-up that was under way meanwhile may have found what was dropped. */
  let drops = 0;

  function peek(code: string): LinkTarget | undefined {
    const now = monotonic();
    if (now < trustedUntil) return cache.get(code);
    if (!isSilent || now >= confirmedAt + STALE_FOR) return undefined;
    // Asked again meanwhile, but not waited for.
    confirm();
    return cache.get(code);
  }

  /**
   * Asks whether any link has changed, once for all who want to know; resolves when that is known, or takes too long. A
   * silent store is not asked again at once.
   */
  async function confirm(): Promise<void> {
    if (isSilent && !confirming && monotonic() < askAgainAt) return;
    confirming ??= patiently(askForChanges()).finally(() => {
      confirming = null;
      askAgainAt = monotonic() + PATIENCE;
    });
    await confirming;
  }

  async function askForChanges(): Promise<void> {
    // The trust counts from before the question: the answer may be old by the time it is here.
    const start = monotonic();
    // A standby that had missed the last changes may have become the primary, and count to the same number again.
    const news = await links.changesSince(start < confirmedAt + STALE_FOR ? changes : null);
    if (news.codes === null) cache.clear();
    else for (const code of news.codes) cache.delete(code);
    if (news.changes !== changes || news.codes === null) drops += 1;
    changes = news.changes;
    confirmedAt = start;
    trustedUntil = start + TRUSTED_FOR;
    isSilent = false;
  }

  async function patiently(asking: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const giveUp = () => {
      isSilent = true;
      resolve();
    };
    const timer = setTimeout(giveUp, PATIENCE);
    asking.then(resolve, giveUp).finally(() => clearTimeout(timer));
    await promise;
  }

  /** Whether a link was found before, as far as its slot remembers; if not, its slot does from now on. */
  function seenBefore(id: number): boolean {
    const slot = id % seen.length;
    const before = seen[slot] === id;
    seen[slot] = id;
    return before;
  }

  const lookUp = batchLookUps(async (codes: string[]) => {
    const before = drops;
    const targets = await links.resolve(codes);
    for (const [index, target] of targets.entries()) {
      const isKept = most > 0 && target && seenBefore(target.id) && drops === before;
      if (isKept) limitSize(cache, most, codes[index] as string, target);
    }
    return targets;
  });

  async function fetchConfirmed(code: string): Promise<LinkTarget | null> {
    const confirmed = confirm();
    if (!cache.has(code) || monotonic() >= confirmedAt + STALE_FOR) {
      // What has to be looked up anyway is so at once. Behind a silent store, one after the other would take longer.
      const [found] = await Promise.all([lookUp(code), confirmed]);
      return found;
    }
    await confirmed;
    return peek(code) ?? lookUp(code);
  }

  return {
    peek,
    fetch(code) {
      if (monotonic() >= trustedUntil) return fetchConfirmed(code);
      const known = cache.get(code);
      return known ? Promise.resolve(known) : lookUp(code);
    },
    forget(code) {
      cache.delete(code);
      drops += 1;
    },
  };
}
