import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Burst, drawBurst } from '../domain/burst.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';

/** Unknown codes a client may ask for. Whoever mistypes stays far below; whoever tries codes out gets nowhere. */
const MISSES: Burst = { perSecond: 1, burst: 60 };

/** How many clients are remembered; the longest unseen is forgotten. Bounds the memory to a few megabytes. */
const MOST_CLIENTS = 20_000;

/** Keeps clients from finding links by trying codes out. */
export interface MissGuard {
  /** Whole seconds until the client of a request may ask again; 0 where it may now. */
  wait(request: IncomingMessage): number;
  /** Notes that a client asked for a code that nobody was ever given. */
  miss(request: IncomingMessage): void;
}

/**
 * A client that has used up its misses is refused every code, since otherwise the answers would go on telling which
 * codes exist. As long as nobody has, asking costs one comparison. Addresses are kept as salted hashes, in memory alone.
 *
 * @param clientOf what tells one client from another, such as its address
 */
export function createMissGuard(
  clientOf: (request: IncomingMessage) => string,
  clock: Clock,
  random: Random,
): MissGuard {
  const salt = Buffer.from(random(16)).toString('hex');
  const dueAt = new LRUCache<string, number>({ max: MOST_CLIENTS });
  /** No client is refused from this instant on. */
  let calmAt = 0;
  const nameOf = (request: IncomingMessage) => hash('sha256', salt + clientOf(request), 'base64');
  return {
    wait(request) {
      const now = clock();
      return now >= calmAt ? 0 : drawBurst(MISSES, dueAt.get(nameOf(request)) ?? 0, now).retryAfter;
    },
    miss(request) {
      const now = clock();
      const name = nameOf(request);
      const draw = drawBurst(MISSES, dueAt.get(name) ?? 0, now);
      dueAt.set(name, draw.dueAt);
      if (draw.report.remaining === 0) calmAt = Math.max(calmAt, now + 1000 / MISSES.perSecond);
    },
  };
}
