import { LRUCache } from 'lru-cache';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import type { LinkStore } from '../store/sql/link-queries.ts';

/** Time in milliseconds for which a cached link is used with PostgreSQL. Edits take effect within this time. */
const FRESH_FOR_MS = 900;

/** Time in milliseconds for which a cached link is used while the database does not respond. */
const STALE_FOR_MS = 60_000;

/** Milliseconds to wait for the database before a cached link is used, and between two attempts after that. */
const TIMEOUT_MS = 500;

export type LinkCache = ReturnType<typeof createLinkCache>;

interface Entry {
  target: LinkTarget;
  readAt: number;
  /** Revision of all links when this link was read. See `Database.revision`. */
  revision: number | null;
}

/**
 * Creates a cache of links. With SQLite, cached links are used until links may have changed. With PostgreSQL, each link
 * is read again about once per second. If the database does not respond, a cached link is used for up to a minute,
 * because an outdated redirect is better than none.
 *
 * @param most maximum number of cached links
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'revision'>,
  { most, monotonic = () => performance.now() }: { most: number; monotonic?: () => number },
) {
  const cache = new LRUCache<string, Entry>({ max: most });
  /**
   * Time until which stale links are used at once, because a read has just failed or taken too long. It is as short as
   * the time for which links are fresh: if no link is opened for a while, no read shows that the database is back.
   */
  let awayUntil = 0;
  let nextAttemptAt = 0;

  function cached(code: string, maxAge: number): LinkTarget | undefined {
    const entry = cache.get(code);
    if (!entry) return undefined;
    const isFresh = entry.revision === null ? monotonic() < entry.readAt + maxAge : entry.revision === links.revision();
    return isFresh ? entry.target : undefined;
  }

  async function read(code: string): Promise<LinkTarget | null> {
    // Reads the clock and the revision before the query, because its response may already be outdated when it arrives.
    const readAt = monotonic();
    const revision = links.revision();
    try {
      const target = await links.resolve(code);
      awayUntil = 0;
      // Keeps a copy of the code, because a part of a string keeps the whole string in memory, here the URL of a request.
      if (target) cache.set(Buffer.from(code).toString(), { target, readAt, revision });
      return target;
    } catch (error) {
      markAway();
      throw error;
    }
  }

  function markAway(): void {
    awayUntil = monotonic() + FRESH_FOR_MS;
    nextAttemptAt = monotonic() + TIMEOUT_MS;
  }

  /** Returns a stale link while the database is away, and checks twice per second if the database is back. */
  function peekWhileAway(code: string): LinkTarget | undefined {
    const stale = cached(code, STALE_FOR_MS);
    if (stale && monotonic() >= nextAttemptAt) {
      nextAttemptAt = monotonic() + TIMEOUT_MS;
      readOrUse(code, stale);
    }
    return stale;
  }

  /** Reads a link. Resolves to the stale link if the read fails or takes too long. */
  function readOrUse(code: string, stale: LinkTarget): Promise<LinkTarget | null> {
    const { promise, resolve } = Promise.withResolvers<LinkTarget | null>();
    const timer = setTimeout(() => {
      markAway();
      resolve(stale);
    }, TIMEOUT_MS);
    read(code)
      .then(resolve, () => resolve(stale))
      .finally(() => clearTimeout(timer));
    return promise;
  }

  const isAway = () => monotonic() < awayUntil;
  const peek = (code: string) => cached(code, FRESH_FOR_MS) ?? (isAway() ? peekWhileAway(code) : undefined);

  return {
    /** Returns a link if it is cached, synchronously, so that the redirect can be sent immediately. */
    peek,
    /** True if the link is cached, even if it must be read again before it is used. */
    has: (code: string) => cache.has(code),
    /**
     * Finds a link in the cache or in the database. Unknown short codes are not cached, so that new links work
     * immediately.
     */
    async fetch(code: string): Promise<LinkTarget | null> {
      const known = peek(code);
      if (known) return known;
      const stale = cached(code, STALE_FOR_MS);
      return stale ? readOrUse(code, stale) : read(code);
    },
    /** Removes a link from the cache after this process has changed the link. */
    forget: (code: string) => void cache.delete(code),
  };
}
