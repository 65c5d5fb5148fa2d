import { LRUCache } from 'lru-cache';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import type { LinkStore } from '../store/sql/link-queries.ts';

/** Time in milliseconds for which cached links are used before the database is asked which links have changed. */
const TRUSTED_FOR_MS = 900;

/**
 * Milliseconds to wait for a response from the database. After this time, cached links are used without checking for
 * changes.
 */
const CHECK_TIMEOUT_MS = 500;

/** Milliseconds for which cached links are used while the database does not respond. */
const STALE_FOR_MS = 60_000;

export interface LinkCache {
  /**
   * Returns a link if it is cached. The result is returned synchronously, so that the redirect can be sent
   * immediately.
   */
  peek(code: string): LinkTarget | undefined;
  /** True if the link is cached, even if the cache must ask the database for changes before the link is used. */
  has(code: string): boolean;
  /**
   * Finds a link in the cache or in the database. Unknown short codes are not cached, so that new links work
   * immediately.
   */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Removes a link from the cache after this process has changed the link. */
  forget(code: string): void;
}

/**
 * Reads every link from the database. SQLite needs no cache, because a lookup takes a few microseconds and causes no
 * network request.
 */
export function uncachedLinks(links: Pick<LinkStore, 'resolve'>): LinkCache {
  return { peek: () => undefined, has: () => false, fetch: (code) => links.resolve(code), forget: () => {} };
}

/**
 * Creates a cache of links. About once per second, the cache asks the database which links have changed, and removes
 * these links. If the database does not respond, cached links are used for up to a minute, because an outdated
 * redirect is better than none.
 *
 * @param options `most` is the maximum number of cached links. `fold` converts a short code to lower case; it is null
 * if short codes are case-sensitive. Callers of `peek` and `fetch` must pass converted short codes.
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'changesSince'>,
  options: { most: number; fold?: ((code: string) => string) | null; monotonic?: () => number },
): LinkCache {
  const { most, fold, monotonic = () => performance.now() } = options;
  const cache = new LRUCache<string, LinkTarget>({ max: most });
  let changes: number | null = null;
  /** Start time of the last successful query for changed links. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let trustedUntil = Number.NEGATIVE_INFINITY;
  let confirming: Promise<void> | null = null;
  let nextCheckAt = Number.NEGATIVE_INFINITY;
  /** True if the last query for changed links failed or took too long. */
  let isUnresponsive = false;
  /**
   * Number of times that links were removed from the cache. If this number changes during a lookup, the result is not
   * cached, because it may be outdated.
   */
  let removals = 0;

  function peek(code: string): LinkTarget | undefined {
    const now = monotonic();
    if (now < trustedUntil) return cache.get(code);
    if (!isUnresponsive || now >= confirmedAt + STALE_FOR_MS) return undefined;
    confirm();
    return cache.get(code);
  }

  /**
   * Asks the database which links have changed. Concurrent callers share one query. Resolves when the database
   * responds or takes too long. After a failure, the next query is delayed.
   */
  async function confirm(): Promise<void> {
    if (isUnresponsive && !confirming && monotonic() < nextCheckAt) return;
    confirming ??= withTimeout(fetchChanges()).finally(() => {
      confirming = null;
      nextCheckAt = monotonic() + CHECK_TIMEOUT_MS;
    });
    await confirming;
  }

  async function fetchChanges(): Promise<void> {
    // Reads the clock before the query, because the response may already be outdated when it arrives.
    const start = monotonic();
    // Clears the whole cache if the last response from the database is over a minute old. Since then, a standby
    // server with older data may have replaced the database server.
    const result = await links.changesSince(start < confirmedAt + STALE_FOR_MS ? changes : null);
    if (result.codes === null) cache.clear();
    else for (const code of result.codes) cache.delete(fold ? fold(code) : code);
    if (result.changes !== changes || result.codes === null) removals += 1;
    changes = result.changes;
    confirmedAt = start;
    trustedUntil = start + TRUSTED_FOR_MS;
    isUnresponsive = false;
  }

  async function withTimeout(query: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onFailure = () => {
      isUnresponsive = true;
      resolve();
    };
    const timer = setTimeout(onFailure, CHECK_TIMEOUT_MS);
    query.then(resolve, onFailure).finally(() => clearTimeout(timer));
    await promise;
  }

  async function lookUp(code: string): Promise<LinkTarget | null> {
    const before = removals;
    const target = await links.resolve(code);
    if (target && removals === before) cache.set(code, target);
    return target;
  }

  async function fetchConfirmed(code: string): Promise<LinkTarget | null> {
    const confirmed = confirm();
    if (!cache.has(code) || monotonic() >= confirmedAt + STALE_FOR_MS) {
      // Looks up the link while `confirmed` is still pending. If the database does not respond, this halves the wait.
      const [found] = await Promise.all([lookUp(code), confirmed]);
      return found;
    }
    await confirmed;
    return peek(code) ?? lookUp(code);
  }

  return {
    peek,
    has: (code) => cache.has(code),
    fetch(code) {
      if (monotonic() >= trustedUntil) return fetchConfirmed(code);
      const known = cache.get(code);
      return known ? Promise.resolve(known) : lookUp(code);
    },
    forget(code) {
      cache.delete(fold ? fold(code) : code);
      removals += 1;
    },
  };
}
