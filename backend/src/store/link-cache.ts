import { keepAtMost } from '../domain/bounded.ts';
import { askTogether } from './gather.ts';
import type { LinkStore, LinkTarget } from './store.ts';

/** How many links are kept at hand; bounds the memory. */
const MOST = 10_000;

/** Of the ids of links found lately: some more than are kept, so that those kept have places of their own. */
const PLACES = 16_384;

/** How long links are answered from memory without asking whether any changed, in milliseconds. */
const TRUSTED_FOR = 900;

export interface LinkCache {
  /** The link if it is at hand. Synchronous, since a redirect should not wait a turn for what is known. */
  peek(code: string): LinkTarget | undefined;
  /** Asks the store, with all that ask in this turn. An unknown code is not kept, so that a new link resolves at once. */
  fetch(code: string): Promise<LinkTarget | null>;
  /** Drops a link this process has just changed. */
  forget(code: string): void;
}

/**
 * Links at hand are trusted for less than a second, then the store is asked once whether any link has changed since.
 * Mostly none has, and all stay; otherwise all go, since links change far less often than they are followed. What is not
 * at hand is asked for once a turn of the event loop, together. A link is kept from the second time on: where many are
 * followed once, keeping each would only push out those that are followed often, and make garbage.
 *
 * @param monotonic milliseconds of a clock that is never set back
 */
export function createLinkCache(
  links: Pick<LinkStore, 'resolve' | 'changes'>,
  monotonic = () => performance.now(),
): LinkCache {
  const cache = new Map<string, LinkTarget>();
  /** Ids of links found lately, each in the one place it may stand. */
  const seen = new Float64Array(PLACES);
  let changes: number | null = null;
  let trustedUntil = Number.NEGATIVE_INFINITY;
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

  /** Whether a link was found before, unless others that share its place were found since; a first time is noted. */
  function seenBefore(id: number): boolean {
    const place = id % seen.length;
    const before = seen[place] === id;
    seen[place] = id;
    return before;
  }

  async function find(codes: string[]): Promise<(LinkTarget | null)[]> {
    const before = drops;
    const targets = await links.resolve(codes);
    for (const [at, target] of targets.entries()) {
      if (target && seenBefore(target.id) && drops === before) keepAtMost(cache, MOST, codes[at] as string, target);
    }
    return targets;
  }

  const fetch = askTogether(async (codes: string[]) => {
    if (monotonic() < trustedUntil) return find(codes);
    await check();
    const known = codes.map(peek);
    const unknown = codes.filter((_, at) => !known[at]);
    const found = unknown.length > 0 ? await find(unknown) : [];
    return known.map((target) => target ?? found.shift() ?? null);
  });

  return {
    peek,
    fetch,
    forget(code) {
      cache.delete(code);
      drops += 1;
    },
  };
}
