import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Burst, drawBurst } from '../domain/burst.ts';
import type { Clock } from '../domain/clock.ts';

/** A person mistypes a few times; whoever guesses tries for hours. */
const PER_NAME: Burst = { perSecond: 1 / 15, burst: 8 };
const PER_CLIENT: Burst = { perSecond: 1 / 5, burst: 20 };

/** How many names and clients are remembered; bounds the memory. */
const MOST = 20_000;

export interface Tries {
  /** Counts one try to sign in; the whole seconds to wait where it comes too soon, or 0. */
  draw(nameKey: string, client: string): number;
}

/** Paces sign-ins per name and per client, known names and unknown ones alike. Kept in memory, each process its own. */
export function createTries(clock: Clock): Tries {
  const dueAt = new LRUCache<string, number>({ max: MOST });

  function draw(kind: string, of: string, burst: Burst): number {
    // Hashed: what somebody typed as a name may be long, or a password.
    const key = kind + createHash('sha256').update(of).digest('base64');
    const { retryAfter, dueAt: due } = drawBurst(burst, dueAt.get(key) ?? 0, clock());
    dueAt.set(key, due);
    return retryAfter;
  }
  return {
    draw: (nameKey, client) => draw('client', client, PER_CLIENT) || draw('name', nameKey, PER_NAME),
  };
}
