import { limitSize } from '../domain/bounded-map.ts';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import type { LinkStore } from '../store/interface/link-store.ts';
import { batchLookUps } from '../store/sql/batch-queries.ts';

/** Number of slots per cached link for the ids of recently found links. At this ratio, two ids rarely share a slot. */
const SLOTS_PER_LINK = 1.6;

/** Milliseconds for which cached links are used without checking for changes. */
const TRUSTED_FOR_MS = 900;

/** Milliseconds after which cached links are used although the store has not answered the check. */
const CHECK_TIMEOUT_MS = 500;

/** Milliseconds for which cached links are used while the store does not answer. */
const STALE_FOR_MS = 60_000;

export interface LinkCache {
  /** Returns the link if it is cached. Synchronous, so that the redirect is sent in the same tick. */
  peek(code: string): LinkTarget | undefined;
  /**
   * Looks the code up together with all others of this tick. Unknown codes are not cached, so that new links work at
   * once.
   */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Drops a link that this process has changed. */
  forget(code: string): void;
}

/**
 * Creates a cache of links. Cached links are trusted for less than a second. Then the store is asked once which links
 * have changed, and those are dropped. All are dropped if too many have changed, or if the last check is more than a
 * minute ago. If the store does not answer, links are used for up to a minute, because an outdated redirect is better
 * than none.
 *
 * Links that are not cached are looked up together with all others of the same event loop tick. A link is cached when
 * it is found a second time, because links that are followed once would displace popular ones.
 *
 * @param options `most` links are kept, which bounds the memory
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'changesSince'>,
  { most, monotonic = () => performance.now() }: { most: number; monotonic?: () => number },
): LinkCache {
  const cache = new Map<string, LinkTarget>();
  /** Ids of recently found links, each in its one possible slot. */
  const seen = new Float64Array(Math.max(1, Math.ceil(SLOTS_PER_LINK * most)));
  let changes: number | null = null;
  /** Range of time in which no link is known to have changed. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let trustedUntil = Number.NEGATIVE_INFINITY;
  let confirming: Promise<void> | null = null;
  let askAgainAt = Number.NEGATIVE_INFINITY;
  /** True if the store failed to answer the last check, or has not answered it in time. */
  let isSilent = false;
  /** Incremented when something is dropped, because a lookup in progress may have found the dropped version. */
  let drops = 0;

  function peek(code: string): LinkTarget | undefined {
    const now = monotonic();
    if (now < trustedUntil) return cache.get(code);
    if (!isSilent || now >= confirmedAt + STALE_FOR_MS) return undefined;
    // Checked again in the background.
    confirm();
    return cache.get(code);
  }

  /**
   * Checks once for all callers if links have changed. Resolves when the answer is known or takes too long. A silent
   * store is not asked again at once.
   */
  async function confirm(): Promise<void> {
    if (isSilent && !confirming && monotonic() < askAgainAt) return;
    confirming ??= patiently(askForChanges()).finally(() => {
      confirming = null;
      askAgainAt = monotonic() + CHECK_TIMEOUT_MS;
    });
    await confirming;
  }

  async function askForChanges(): Promise<void> {
    // Trust starts before the question, because the answer may be old when it arrives.
    const start = monotonic();
    // After a failover, a standby that missed the last changes may reach the same number again.
    const news = await links.changesSince(start < confirmedAt + STALE_FOR_MS ? changes : null);
    if (news.codes === null) cache.clear();
    else for (const code of news.codes) cache.delete(code);
    if (news.changes !== changes || news.codes === null) drops += 1;
    changes = news.changes;
    confirmedAt = start;
    trustedUntil = start + TRUSTED_FOR_MS;
    isSilent = false;
  }

  async function patiently(asking: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const giveUp = () => {
      isSilent = true;
      resolve();
    };
    const timer = setTimeout(giveUp, CHECK_TIMEOUT_MS);
    asking.then(resolve, giveUp).finally(() => clearTimeout(timer));
    await promise;
  }

  /** Returns true if the link's slot says that it was found before. Otherwise stores it in the slot. */
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
    if (!cache.has(code) || monotonic() >= confirmedAt + STALE_FOR_MS) {
      // The lookup runs in parallel with the check. One after the other would take longer if the store is silent.
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
