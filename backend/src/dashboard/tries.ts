import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Burst, drawBurst } from '../domain/burst.ts';
import type { Clock } from '../domain/clock.ts';

/**
 * A person mistypes a few times; whoever guesses tries for hours, and has many networks or one. So there are three paces.
 *
 * One client at one name: 8 at once, then 1,440 a day. All clients at one name: 100 at once, then 5,760 a day, so that
 * a list of a million likely passwords takes 174 days, and twelve random letters (26^12) longer than there is time. The
 * second pace is four times the first: only five networks that never rest use a name up, and then it still is open from
 * wherever somebody has signed in to it.
 */
const PER_PAIR: Burst = { perSecond: 1 / 60, burst: 8 };
const PER_NAME: Burst = { perSecond: 1 / 15, burst: 100 };
const PER_CLIENT: Burst = { perSecond: 1 / 5, burst: 20 };

/** How many of each kind are remembered; bounds the memory. */
const MOST = 20_000;

export interface Tries {
  /** Counts one try to sign in; the whole seconds to wait where it comes too soon, or 0. */
  draw(nameKey: string, client: string): number;
  /** Notes that a try was right: who guesses elsewhere no longer holds up the name here. */
  know(nameKey: string, client: string): void;
}

/** Paces sign-ins, at known names and unknown ones alike. Kept in memory, each process its own. */
export function createTries(clock: Clock): Tries {
  const clients = createPace(PER_CLIENT, clock);
  const names = createPace(PER_NAME, clock);
  const pairs = createPace(PER_PAIR, clock);
  const known = new LRUCache<string, true>({ max: MOST });
  return {
    // In this order, so that a try which a client may not make costs the name nothing.
    draw(nameKey, client) {
      const pair = pairOf(nameKey, client);
      return clients(hashed(client)) || pairs(pair) || (known.get(pair) ? 0 : names(hashed(nameKey)));
    },
    know(nameKey, client) {
      known.set(pairOf(nameKey, client), true);
    },
  };
}

function createPace(burst: Burst, clock: Clock): (of: string) => number {
  const dueAt = new LRUCache<string, number>({ max: MOST });
  return (of) => {
    const draw = drawBurst(burst, dueAt.get(of) ?? 0, clock());
    dueAt.set(of, draw.dueAt);
    return draw.retryAfter;
  };
}

function pairOf(nameKey: string, client: string): string {
  return hashed(JSON.stringify([nameKey, client]));
}

/** What somebody typed as a name may be long, or a password. */
function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
