import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../../domain/limits/throttle-and-quota.ts';
import { formatCount } from '../components/dates-and-numbers.ts';

/** Limit of attempts by one client for one name: 8 at once, then 1,440 a day. Users mistype only a few times. */
const PER_PAIR: Throttle = { perSecond: 1 / 60, burst: 8 };
/**
 * Limit of attempts by all clients for one name: 100 at once, then 5,760 a day. A list of a million likely passwords takes
 * 174 days. Attackers need five networks to exhaust it. Users can still sign in from networks where they have signed in before.
 */
const PER_NAME: Throttle = { perSecond: 1 / 15, burst: 100 };
/** Limit of attempts by one client for all names. */
const PER_CLIENT: Throttle = { perSecond: 1 / 5, burst: 20 };

/** Maximum number of clients, names and pairs in memory. */
const MAX_REMEMBERED = 20_000;

export interface SignInLimit {
  /** Counts one attempt to sign in. Returns 0 if it is allowed, or else the number of seconds to wait. */
  attempt(nameKey: string, client: string): number;
  /** Remembers that a client has signed in. From then on, attackers on other networks cannot exhaust its attempts. */
  remember(nameKey: string, client: string): void;
}

/** Limits attempts to sign in, for existing and unknown names. Each process counts separately, in memory. */
export function createSignInLimit(clock: Clock): SignInLimit {
  // Created at the first attempt, because each cache reserves memory for its maximum number of entries.
  let created: ReturnType<typeof createCaches> | null = null;
  const caches = () => {
    created ??= createCaches(clock);
    return created;
  };
  return {
    // The client's limits come first, so that an attempt they refuse does not count for the name.
    attempt(nameKey, client) {
      const { clients, pairs, names, known } = caches();
      const pair = pairKey(nameKey, client);
      return clients(hashText(client)) || pairs(pair) || (known.get(pair) ? 0 : names(hashText(nameKey)));
    },
    remember(nameKey, client) {
      caches().known.set(pairKey(nameKey, client), true);
    },
  };
}

function createCaches(clock: Clock) {
  return {
    clients: createLimiter(PER_CLIENT, clock),
    names: createLimiter(PER_NAME, clock),
    pairs: createLimiter(PER_PAIR, clock),
    known: new LRUCache<string, true>({ max: MAX_REMEMBERED }),
  };
}

/** @param wait number of seconds */
export function tooManyAttemptsMessage(wait: number): string {
  return `Too many attempts. Wait ${formatCount(wait, 'second')} and try again.`;
}

function createLimiter(throttle: Throttle, clock: Clock): (key: string) => number {
  const dueAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (key) => {
    const draw = takeFromThrottle(throttle, dueAt.get(key) ?? 0, clock());
    dueAt.set(key, draw.dueAt);
    return draw.retryAfter;
  };
}

function pairKey(nameKey: string, client: string): string {
  return hashText(JSON.stringify([nameKey, client]));
}

/** Hashes a typed name, which may be long or a password. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
