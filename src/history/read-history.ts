import { PAGE_LIMIT } from '@terse/contract/link-list';
import type { ServiceAnswer } from '../messages/messages.ts';
import type { ListReading } from '../queue/types.ts';
import type { ListedLink, Seen } from '../storage/listed-links.ts';
import { readListing } from './listing.ts';
import { type ServiceProblem, serviceProblem } from './service-problem.ts';

/** What is kept of a service's list: the newest links, however many there are. */
export const MOST_LINKS = 20_000;

/** A list whose pages are empty has an end too. */
const MOST_PAGES = 500;

/** Services of the contract answer twenty reads at once and ten a second; half of the former is left to others. */
const AT_ONCE = 10;
const GAP_MS = 110;

/** A service that asks for a longer wait is read another time. */
const LONGEST_WAIT_MS = 30_000;
const MOST_WAITS = 5;

export interface ReadingDependencies {
  /** Asks the service, below `/api/v1/`. Never throws. */
  ask: (path: string) => Promise<ServiceAnswer>;
  /** See `keepListed` and `dropUnlisted`: false: the list is of no use any more. */
  keep: (listed: ListedLink[]) => Promise<boolean>;
  drop: (seen: Seen, reading: ListReading) => Promise<boolean>;
  progress: (count: number) => void;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}

/** What a reading came to. */
export type ReadResult =
  | ListReading
  | { problem: ServiceProblem }
  /** The connection was forgotten or changed meanwhile. */
  | null;

/** Reads a service's list page by page, newest first, and keeps each page as it comes. */
export async function readHistory(dependencies: ReadingDependencies): Promise<ReadResult> {
  const { keep, drop, progress, now } = dependencies;
  const startedAt = now();
  const codes = new Set<string>();
  const cursors = new Set<string>();
  const pace = new Pace(dependencies);
  let unreadable = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let cursor: string | null = '';
  while (cursor !== null && codes.size < MOST_LINKS && cursors.size < MOST_PAGES) {
    cursors.add(cursor);
    const answer = await pace.ask(`urls?limit=${PAGE_LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    const problem = serviceProblem(answer);
    if (problem) return { problem: problem === 'gone' ? 'cannot_list' : problem };
    const page = readListing(answer.problem ? null : answer.body);
    // A cursor that comes again would lead round in a circle.
    if (!page || (page.nextCursor !== null && cursors.has(page.nextCursor))) return { problem: 'not_understood' };
    if (!(await keep(page.links))) return null;
    for (const { shortCode, createdAt } of page.links) {
      codes.add(shortCode);
      oldest = Math.min(oldest, createdAt);
    }
    unreadable += page.unreadable;
    progress(codes.size);
    cursor = page.nextCursor;
  }
  const isCut = cursor !== null;
  const read = { at: startedAt, unreadable, isCut };
  return (await drop({ codes, startedAt, oldest: isCut ? oldest : null }, read)) ? read : null;
}

/** Asks no faster than a service takes it, and waits as it says where that was too fast. */
class Pace {
  readonly #dependencies: Pick<ReadingDependencies, 'ask' | 'sleep' | 'now'>;
  #asked = 0;
  #last = 0;

  constructor(dependencies: Pick<ReadingDependencies, 'ask' | 'sleep' | 'now'>) {
    this.#dependencies = dependencies;
  }

  async ask(path: string): Promise<ServiceAnswer> {
    const { ask, sleep, now } = this.#dependencies;
    for (let waits = 0; ; waits += 1) {
      this.#asked += 1;
      if (this.#asked > AT_ONCE) await sleep(Math.min(GAP_MS, Math.max(0, this.#last + GAP_MS - now())));
      this.#last = now();
      const answer = await ask(path);
      if (answer.problem || answer.status !== 429 || waits === MOST_WAITS) return answer;
      const waitMs = (answer.waitSeconds ?? 1) * 1000;
      if (waitMs > LONGEST_WAIT_MS) return answer;
      await sleep(waitMs);
    }
  }
}
