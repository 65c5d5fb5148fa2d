import type { IncomingMessage } from 'node:http';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../domain/limits/throttle-and-quota.ts';

/** Maximum number of unknown codes per client. Typing errors stay far below, and guessing gets nowhere. */
const GUESSES: Throttle = { perSecond: 1, burst: 60 };

/** Maximum number of clients in memory. The least recently seen is dropped. Bounds the memory to a few megabytes. */
const MAX_CLIENTS = 20_000;

/** Prevents clients from finding links by guessing codes. */
export interface GuessingLimit {
  /**
   * Looks up a code for a client that has guesses left. An existing code costs no guess.
   *
   * @param find resolves to null if the code was never issued
   * @param isOpen true if the code is looked up even for clients without guesses; only called for those
   * @returns the result, or the whole seconds until the client's next guess
   */
  lookUp<Found>(
    request: IncomingMessage,
    find: () => Promise<Found | null>,
    isOpen?: () => boolean,
  ): Promise<LookUp<Found>>;
}

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

interface Client {
  /** Time at which all guesses are available again, in milliseconds since the epoch. */
  dueAt: number;
  /**
   * Number of lookups in progress. Each may turn out to be a wrong guess, so there are never more than guesses left.
   */
  underWay: number;
  /** Starts the lookups that wait for others to finish. */
  waiting: (() => void)[];
}

/**
 * Charges a guess before the lookup, because a client can send thousands of requests before the first response. The
 * guess is returned if the code exists.
 *
 * @param clientOf returns a client's id, which is kept in memory and therefore not a plain address
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

  /** Stores when all guesses of a client are available again. The client becomes the last to be dropped. */
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
      // A lookup ended, so another can start. Without guesses, all waiting lookups start and are refused.
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

/** Recently followed codes. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** Maximum number of codes per generation, which bounds the memory, and its maximum age in milliseconds. */
const MAX_CODES = 20_000;
const LIFE = 1_800_000;

interface Generation {
  /** Codes that are not in the set yet, possibly with duplicates. */
  codes: string[];
  known: Set<string>;
}

/**
 * Remembers codes for 30 to 60 minutes, or until 20,000 more were looked up. There are two generations, and the older
 * is dropped as a whole. A time per code would slow down every lookup. Codes are collected in a list and only put
 * into a set when one is asked for, which is rare.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = newGeneration();
  let older = newGeneration();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // A clock set back also starts a new generation. Otherwise this one could last forever.
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
