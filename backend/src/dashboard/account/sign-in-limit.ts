import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../../domain/limits/throttle-and-quota.ts';
import { formatCount } from '../components/dates-and-numbers.ts';

/**
 * A person mistypes a few times; an attacker guesses for hours, from one network or from many. So there are three limits.
 *
 * One client at one name: 8 attempts at once, then 1,440 a day. All clients at one name: 100 at once, then 5,760 a day,
 * so that a list of a million likely passwords takes 174 days, and twelve random letters (26^12) cannot be guessed at
 * all. The second limit is four times the first: only five networks that never rest use a name up, and even then
 * somebody who has signed in to it before can still sign in from the same network.
 */
const PER_PAIR: Throttle = { perSecond: 1 / 60, burst: 8 };
const PER_NAME: Throttle = { perSecond: 1 / 15, burst: 100 };
const PER_CLIENT: Throttle = { perSecond: 1 / 5, burst: 20 };

/** How many clients, names and pairs of both are remembered; bounds the memory. */
const MAX_REMEMBERED = 20_000;

export interface SignInLimit {
  /** Counts one attempt to sign in. Returns 0, or the whole seconds to wait where it comes too soon. */
  attempt(nameKey: string, client: string): number;
  /** Remembers that a client has signed in: attackers elsewhere no longer use up the name's attempts for it. */
  remember(nameKey: string, client: string): void;
}

/** Limits attempts to sign in, at known and unknown names alike. Each process keeps its own counts, in memory. */
export function createSignInLimit(clock: Clock): SignInLimit {
  const clients = createLimiter(PER_CLIENT, clock);
  const names = createLimiter(PER_NAME, clock);
  const pairs = createLimiter(PER_PAIR, clock);
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return {
    // In this order, so that an attempt the client may not make is not charged to the name.
    attempt(nameKey, client) {
      const pair = pairKey(nameKey, client);
      return clients(hashText(client)) || pairs(pair) || (known.get(pair) ? 0 : names(hashText(nameKey)));
    },
    remember(nameKey, client) {
      known.set(pairKey(nameKey, client), true);
    },
  };
}

/** What to say to somebody who must wait, with the whole seconds to wait. */
export function tooManyAttemptsMessage(wait: number): string {
  return `Too many attempts. Please wait ${formatCount(wait, 'second')} and try again.`;
}

function createLimiter(burst: Throttle, clock: Clock): (of: string) => number {
  const dueAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (of) => {
    const draw = takeFromThrottle(burst, dueAt.get(of) ?? 0, clock());
    dueAt.set(of, draw.dueAt);
    return draw.retryAfter;
  };
}

function pairKey(nameKey: string, client: string): string {
  return hashText(JSON.stringify([nameKey, client]));
}

/** Hashed, because what somebody typed as a name may be long, or a password. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
