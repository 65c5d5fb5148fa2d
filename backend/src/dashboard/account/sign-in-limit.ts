import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../../domain/limits/throttle.ts';
import { formatCount } from '../components/dates-and-numbers.ts';

/** Limit for one client and one user name: bursts of 8 attempts, then one attempt per minute. */
const PER_PAIR: Throttle = { perSecond: 1 / 60, burst: 8 };
/**
 * Limit for one user name across all clients: bursts of 100 attempts, then four per minute. At this rate, guessing a
 * million passwords takes 174 days.
 */
const PER_NAME: Throttle = { perSecond: 1 / 15, burst: 100 };
/** Limit for one client across all user names: bursts of 20 attempts, then 12 per minute. */
const PER_CLIENT: Throttle = { perSecond: 1 / 5, burst: 20 };

const MAX_REMEMBERED = 20_000;

export interface SignInLimit {
  /**
   * Counts one attempt to enter a password. All pages that ask for a password share the same limits. Returns 0 if the
   * attempt is allowed. Otherwise, returns the number of seconds to wait.
   */
  attempt(nameKey: string, client: string): number;
  /**
   * Remembers that a client has signed in with this user name. The limit per user name no longer applies to this
   * client. Otherwise, attackers on other networks could use up the limit and lock out the user.
   */
  remember(nameKey: string, client: string): void;
}

/** Limits attempts to sign in. Unknown user names count too, so that the limit does not reveal which names exist. */
export function createSignInLimit(clock: Clock): SignInLimit {
  const pairs = createLimiter(PER_PAIR, clock);
  const names = createLimiter(PER_NAME, clock);
  const clients = createLimiter(PER_CLIENT, clock);
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const keyOf = (nameKey: string, client: string) => hashText(JSON.stringify([nameKey, client]));
  return {
    attempt(nameKey, client) {
      const pair = keyOf(nameKey, client);
      const limits: [Limiter, string][] = [
        [clients, hashText(client)],
        [pairs, pair],
      ];
      if (!known.get(pair)) limits.push([names, hashText(nameKey)]);
      // A refused attempt counts against none of the limits, and the user must wait for the slowest one.
      const wait = Math.max(...limits.map(([limiter, key]) => limiter.waitFor(key)));
      if (wait === 0) for (const [limiter, key] of limits) limiter.count(key);
      return wait;
    },
    remember: (nameKey, client) => void known.set(keyOf(nameKey, client), true),
  };
}

export function tooManyAttemptsMessage(wait: number): string {
  return `Too many attempts. Wait ${formatCount(wait, 'second')} and try again.`;
}

interface Limiter {
  /** Returns the number of seconds until the next attempt is allowed. */
  waitFor(key: string): number;
  count(key: string): void;
}

function createLimiter(throttle: Throttle, clock: Clock): Limiter {
  const dueAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const attempt = (key: string) => takeFromThrottle(throttle, dueAt.get(key) ?? 0, clock());
  return {
    waitFor: (key) => attempt(key).retryAfter,
    count: (key) => dueAt.set(key, attempt(key).dueAt),
  };
}

/** Hashes a cache key. Otherwise, a password that a user typed into the name field by mistake would stay in memory. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
