import type { IncomingMessage } from 'node:http';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../domain/limits/throttle-and-quota.ts';

/** Unknown codes that a client may ask for. A person's typing errors stay far below; guessing gets nowhere. */
const GUESSES: Throttle = { perSecond: 1, burst: 60 };

/** How many clients are remembered; the longest unseen is forgotten. Bounds the memory to a few megabytes. */
const MOST_CLIENTS = 20_000;

/** Keeps clients from finding links by trying codes out. */
export interface GuessingLimit {
  /**
   * Looks a code up for a client that has a guess left. A code that exists costs it nothing.
   *
   * @param find resolves to null where the code was never given out
   * @param isOpen whether this code is looked up for guessers too; asked only where the client has no guess left
   * @returns what was found, or how many whole seconds the client has to wait for its next guess
   */
  lookUp<Found>(
    request: IncomingMessage,
    find: () => Promise<Found | null>,
    isOpen?: () => boolean,
  ): Promise<LookUp<Found>>;
}

export type LookUp<Found> = { found: Found | null } | { retryAfter: number };

interface Client {
  /** When all its guesses are back; milliseconds since the epoch. */
  dueAt: number;
  /** Look-ups under way. Each may turn out to be a wrong guess, so there are never more of them than guesses left. */
  underWay: number;
  /** Starts the look-ups that wait for those under way. */
  waiting: (() => void)[];
}

/**
 * A guess is taken before the code is looked up, since a client can send thousands of requests before the first is
 * answered. It is given back where the code exists.
 *
 * @param clientOf what tells one client from another; kept in memory, so no plain address
 */
export function createGuessingLimit(clientOf: (request: IncomingMessage) => string, clock: Clock): GuessingLimit {
  const clients = new Map<string, Client>();

  function clientFor(name: string): Client {
    const known = clients.get(name);
    if (known) return known;
    const client = { dueAt: 0, underWay: 0, waiting: [] };
    limitSize(clients, MOST_CLIENTS, name, client);
    return client;
  }

  /** Notes when all guesses of a client are back. From now on it is the last one to be forgotten. */
  function note(name: string, client: Client, dueAt: number): void {
    client.dueAt = dueAt;
    clients.delete(name);
    limitSize(clients, MOST_CLIENTS, name, client);
  }

  function end(name: string, client: Client, wasGuess: boolean): void {
    const now = clock();
    if (wasGuess) note(name, client, takeFromThrottle(GUESSES, client.dueAt, now).dueAt);
    client.underWay -= 1;
    if (client.waiting.length > 0) {
      // One look-up ended, so one can start. Once no guess is left, all of them start, to be refused.
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

/** Codes that were followed lately. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** How many codes a generation holds, which bounds the memory, and for how long, in milliseconds. */
const MOST = 20_000;
const LIFE = 1_800_000;

interface Generation {
  /** Codes that are not in the set yet, some perhaps more than once. */
  codes: string[];
  known: Set<string>;
}

/**
 * Remembers codes for half an hour to an hour, or until 20,000 more were looked up. The codes are in two generations, and
 * the older one is dropped as a whole; to note a time for each code would make every look-up slower. So would a set: codes
 * are only listed, and put into a set when somebody asks for one, which is seldom.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = newGeneration();
  let older = newGeneration();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // A clock set back starts a new generation too, or this one could last for ever.
    if (newer.known.size + newer.codes.length < MOST && now - startedAt < LIFE && now >= startedAt) return;
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
