import type { IncomingMessage } from 'node:http';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../domain/limits/throttle-and-quota.ts';

/**
 * Rate at which a client may request unknown short codes. The rate is high enough for users who mistype a code, but
 * too low for guessing codes.
 */
const GUESSES: Throttle = { perSecond: 1, burst: 60 };

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
   * @param isOpen called if the client has requested too many unknown codes; if it returns true, the short code is
   * looked up anyway
   * @returns the link, or the number of seconds until the client may try again
   */
  lookUp<Found>(
    request: IncomingMessage,
    find: () => Promise<Found | null>,
    isOpen?: () => boolean,
  ): Promise<LookUp<Found>>;
}

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

interface Client {
  /** Time in milliseconds since 1970 at which the client's limit for unknown short codes is fully restored. */
  dueAt: number;
  /** Number of running lookups. Never exceeds the number of unknown short codes that the client may still request. */
  underWay: number;
  waiting: (() => void)[];
}

/**
 * Limits requests for unknown short codes. Clients can send thousands of requests at once, so each running lookup
 * counts as a request for an unknown code until the result arrives.
 *
 * @param clientOf returns a hashed id of the client, because IP addresses must not be stored
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

  /** Updates `dueAt`. Also marks the client as recently seen. */
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
      // Resumes one waiting lookup. If the client has reached the limit, resumes all waiting lookups, so that they
      // are refused.
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

export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/**
 * Maximum number of recently followed short codes in one set. A new set is started when the set is full or `LIFE`
 * milliseconds old.
 */
const MAX_CODES = 20_000;
const LIFE = 1_800_000;

interface Generation {
  codes: string[];
  known: Set<string>;
}

/**
 * Remembers the short codes that visitors have recently followed, usually for 30 to 60 minutes.
 *
 * The codes are stored in two sets, and the older set is deleted as a whole, because storing a time for each code
 * would be slower. New codes are first collected in a list, because adding to a list is faster than adding to a set.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = newGeneration();
  let older = newGeneration();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // `now` is earlier than `startedAt` if the system clock was set back.
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
