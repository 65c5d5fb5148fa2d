import type { IncomingMessage } from 'node:http';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../domain/limits/throttle-and-quota.ts';

/**
 * Maximum number of unknown short codes that a client may request. Mistyped codes stay far below this limit, but
 * guessing codes becomes too slow.
 */
const GUESSES: Throttle = { perSecond: 1, burst: 60 };

/**
 * Maximum number of clients in memory, which limits memory usage to a few megabytes. The least recently seen client
 * is dropped first.
 */
const MAX_CLIENTS = 20_000;

/** Limits how many short codes a client can guess, to prevent clients from finding links of other people. */
export interface GuessingLimit {
  /**
   * Looks up a short code if the client has guesses left. Only unknown codes count as guesses.
   *
   * @param find resolves to null if the short code does not exist
   * @param isOpen called only if the client has no guesses left; the short code is still looked up if it returns true
   * @returns the result of `find`, or the number of seconds until the client's next guess
   */
  lookUp<Found>(
    request: IncomingMessage,
    find: () => Promise<Found | null>,
    isOpen?: () => boolean,
  ): Promise<LookUp<Found>>;
}

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

interface Client {
  /** Time at which the client has all of its guesses again, in milliseconds since 1970. */
  dueAt: number;
  /**
   * Number of lookups in progress. It never exceeds the remaining guesses, because each lookup may turn out to be a
   * guess.
   */
  underWay: number;
  /** Functions that start the waiting lookups. A lookup waits if earlier lookups may use up all guesses. */
  waiting: (() => void)[];
}

/**
 * Creates a limit for guessed short codes. Lookups in progress count as guesses until their result is known, because
 * a client can send thousands of requests before the first response.
 *
 * @param clientOf returns an id of the client, which is a hash because IP addresses must not be stored
 */
export function createGuessingLimit(clientOf: (request: IncomingMessage) => string, clock: Clock): GuessingLimit {
  const clients = new Map<string, Client>();

  function clientFor(name: string): Client {
    const known = clients.get(name);
    if (known) return known;
    const client = { dueAt: 0, underWay: 0, waiting: [] };
    limitSize(clients, MAX_CLIENTS, name, client);
    return client;
  }

  /**
   * Stores when the client has all of its guesses again. Also marks the client as recently seen, so that others are
   * dropped first.
   */
  function note(name: string, client: Client, dueAt: number): void {
    client.dueAt = dueAt;
    clients.delete(name);
    limitSize(clients, MAX_CLIENTS, name, client);
  }

  function end(name: string, client: Client, wasGuess: boolean): void {
    const now = clock();
    if (wasGuess) note(name, client, takeFromThrottle(GUESSES, client.dueAt, now).dueAt);
    client.underWay -= 1;
    if (client.waiting.length > 0) {
      // Starts one waiting lookup, because one has ended. If no guesses are left, all waiting lookups are started and
      // then refused.
      const { allowed } = takeFromThrottle(GUESSES, client.dueAt, now);
      for (const start of client.waiting.splice(0, allowed ? 1 : client.waiting.length)) start();
    } else if (client.underWay === 0 && client.dueAt <= now) clients.delete(name);
  }

  return {
    async lookUp(request, find, isOpen = () => false) {
      const name = clientOf(request);
      const client = clientFor(name);
      for (;;) {
        const { allowed, dueAt, retryAfter, report } = takeFromThrottle(GUESSES, client.dueAt, clock());
        if (allowed && client.underWay <= report.remaining) break;
        if (isOpen()) return { found: await find() };
        if (!allowed) {
          note(name, client, dueAt);
          return { retryAfter };
        }
        await new Promise<void>((resolve) => client.waiting.push(resolve));
      }
      client.underWay += 1;
      let wasGuess = false;
      try {
        const found = await find();
        wasGuess = found === null;
        return { found };
      } finally {
        end(name, client, wasGuess);
      }
    },
  };
}

/** Short codes that visitors have recently followed. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** Maximum number of short codes per generation, and maximum age of a generation in milliseconds. */
const MAX_CODES = 20_000;
const LIFE = 1_800_000;

interface Generation {
  /** Short codes that are not in the set yet. The list can contain duplicates. */
  codes: string[];
  known: Set<string>;
}

/**
 * Remembers recently followed short codes for 30 to 60 minutes, but not more than about 40,000.
 *
 * The codes form two generations, and the older generation is dropped as a whole. This is faster than storing a time
 * with each code. New codes are collected in a list and added to a set only when `has` is called, which is rare.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = newGeneration();
  let older = newGeneration();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // If the system clock was set back, a new generation starts too. Otherwise the current generation could last too
    // long.
    if (newer.known.size + newer.codes.length < MAX_CODES && now - startedAt < LIFE && now >= startedAt) return;
    older = now - startedAt < 2 * LIFE ? newer : newGeneration();
    newer = newGeneration();
    startedAt = now;
  }

  return {
    add(code) {
      age();
      newer.codes.push(code);
    },
    has(code) {
      age();
      return includes(newer, code) || includes(older, code);
    },
  };
}

function newGeneration(): Generation {
  return { codes: [], known: new Set() };
}

function includes(generation: Generation, code: string): boolean {
  for (const listed of generation.codes) generation.known.add(listed);
  generation.codes = [];
  return generation.known.has(code);
}
