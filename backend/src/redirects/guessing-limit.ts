import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

/**
 * Number of unknown short codes that a client may request at once. The number is high enough for users who mistype a
 * code, but too low for guessing codes.
 */
const GUESSES = 60;

/** Milliseconds after which one guess is restored. */
const RESTORED_AFTER_MS = 1000;

/** Maximum number of clients in memory. The client that was inactive for the longest time is dropped first. */
const MAX_CLIENTS = 20_000;

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

export type GuessingLimit = ReturnType<typeof createGuessingLimit>;

/**
 * Prevents clients from finding links by guessing short codes. Each lookup is charged to the client before it starts,
 * because clients can send thousands of requests at once. If the short code exists or the lookup fails, the charge is
 * refunded.
 *
 * @param clientOf returns a hashed id of the client, because IP addresses must not be stored
 * @param monotonic returns the milliseconds since any fixed moment. If the system clock were used and set back, clients
 * that have guessed nothing would be refused.
 */
export function createGuessingLimit(
  clientOf: (request: IncomingMessage) => string,
  monotonic = () => performance.now(),
) {
  /** Time at which each client has all of its guesses again. */
  const restoredAt = new LRUCache<string, number>({ max: MAX_CLIENTS });

  return {
    /**
     * Looks up a short code unless the client has requested too many unknown codes.
     *
     * @param find resolves to null if the short code does not exist
     * @returns the link, or the number of seconds until the client may try again
     */
    async lookUp<Found>(request: IncomingMessage, find: () => Promise<Found | null>): Promise<LookUp<Found>> {
      const client = clientOf(request);
      const now = monotonic();
      const charged = Math.max(restoredAt.get(client) ?? 0, now) + RESTORED_AFTER_MS;
      const wait = charged - now - GUESSES * RESTORED_AFTER_MS;
      if (wait > 0) return { retryAfter: Math.ceil(wait / 1000) };
      restoredAt.set(client, charged);
      let isGuess = false;
      try {
        const found = await find();
        isGuess = found === null;
        return { found };
      } finally {
        if (!isGuess) restoredAt.set(client, (restoredAt.get(client) ?? 0) - RESTORED_AFTER_MS);
      }
    },
  };
}
