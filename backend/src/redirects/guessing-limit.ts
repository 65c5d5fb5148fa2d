import type { IncomingMessage } from 'node:http';
import { limitSize } from '../domain/bounded-map.ts';
import { type Throttle, takeFromThrottle } from '../domain/limits/throttle.ts';

/**
 * Rate at which a client may request unknown short codes. The rate is high enough for users who mistype a code, but
 * too low for guessing codes.
 */
const GUESSES: Throttle = { perSecond: 1, burst: 60 };

/** Milliseconds after which one guess is restored. */
const RESTORED_AFTER_MS = 1000 / GUESSES.perSecond;

/**
 * Maximum number of clients that are stored in memory. The client that was inactive for the longest time is dropped
 * first.
 */
const MAX_CLIENTS = 20_000;

/** Prevents clients from finding links by guessing short codes. */
export interface GuessingLimit {
  /**
   * Looks up a short code unless the client has requested too many unknown codes.
   *
   * @param find resolves to null if the short code does not exist
   * @returns the link, or the number of seconds until the client may try again
   */
  lookUp<Found>(request: IncomingMessage, find: () => Promise<Found | null>): Promise<LookUp<Found>>;
}

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

/**
 * Limits requests for unknown short codes. Each lookup is charged to the client before it starts, because clients can
 * send thousands of requests at once. If the short code exists or the lookup fails, the charge is refunded.
 *
 * @param clientOf returns a hashed id of the client, because IP addresses must not be stored
 * @param monotonic returns the milliseconds since any fixed moment. If the system clock were used and set back, clients
 * that have guessed nothing would be refused.
 */
export function createGuessingLimit(
  clientOf: (request: IncomingMessage) => string,
  monotonic: () => number,
): GuessingLimit {
  /** Times at which the limits of the clients are fully restored, last active last. */
  const dueTimes = new Map<string, number>();

  function setDue(client: string, dueAt: number): void {
    dueTimes.delete(client);
    if (dueAt > monotonic()) limitSize(dueTimes, MAX_CLIENTS, client, dueAt);
  }

  return {
    async lookUp(request, find) {
      const client = clientOf(request);
      const { allowed, dueAt, retryAfter } = takeFromThrottle(GUESSES, dueTimes.get(client) ?? 0, monotonic());
      setDue(client, dueAt);
      if (!allowed) return { retryAfter };
      let isGuess = false;
      try {
        const found = await find();
        isGuess = found === null;
        return { found };
      } finally {
        if (!isGuess) setDue(client, (dueTimes.get(client) ?? 0) - RESTORED_AFTER_MS);
      }
    },
  };
}
