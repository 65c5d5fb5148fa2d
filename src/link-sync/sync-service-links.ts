import { PAGE_LIMIT } from '@terse/contract/links';
import type { ServiceAnswer } from '../messages/protocol.ts';
import type { Connection, ListReading } from '../queue/types.ts';
import { parseLinkList, type ServiceProblem, serviceProblem } from '../services/terse/links-api.ts';
import { broadcastChange } from '../storage/change-broadcast.ts';
import { openForPage } from '../storage/load-page-data.ts';
import { type ListedLink, mergeListedLinks, removeUnlisted, type Seen } from '../storage/merge-service-links.ts';
import { askService } from './edit-and-delete-link.ts';

/** What is kept of a service's list: the newest links, however many there are. */
export const MAX_LINKS = 20_000;

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
export async function syncServiceLinks(dependencies: ReadingDependencies): Promise<ReadResult> {
  const { keep, drop, progress, now } = dependencies;
  const startedAt = now();
  const codes = new Set<string>();
  const cursors = new Set<string>();
  const pace = new Pace(dependencies);
  let unreadable = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let cursor: string | null = '';
  while (cursor !== null && codes.size < MAX_LINKS && cursors.size < MOST_PAGES) {
    cursors.add(cursor);
    const answer = await pace.ask(`urls?limit=${PAGE_LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    const problem = serviceProblem(answer);
    if (problem) return { problem: problem === 'gone' ? 'cannot_list' : problem };
    const page = parseLinkList(answer.problem ? null : answer.body);
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

/** So many links are kept before the pages that show them read again: each time they read them all. */
const ANNOUNCED_AFTER = 1_000;

/**
 * Brings the links that are kept of a connection's service up to date. Where another page is at it already, this one is
 * told of what that one finds.
 *
 * @param progress called with the number of links read
 */
export async function syncConnection(connection: Connection, progress: (count: number) => void): Promise<ReadResult> {
  const { id, baseUrl, lastFour } = connection;
  // Another key's list is another list.
  return navigator.locks.request(`history ${id} ${baseUrl} ${lastFour}`, { ifAvailable: true }, (lock) =>
    lock ? read(connection, progress) : null,
  );
}

async function read(connection: Connection, progress: (count: number) => void): Promise<ReadResult> {
  const database = await openForPage();
  let unannounced = 0;
  const announceChanges = async (queues: boolean) => {
    await broadcastChange({ queues, links: unannounced > 0 });
    unannounced = 0;
  };
  let kept = 0;
  try {
    return await syncServiceLinks({
      ask: (path) => askService(connection, { method: 'GET', path }),
      keep: async (listed) => {
        const isChanged = await mergeListedLinks(database, connection, listed, Date.now());
        const isFirst = kept === 0;
        kept += listed.length;
        if (isChanged) unannounced += listed.length;
        if (unannounced >= ANNOUNCED_AFTER || (isFirst && isChanged)) await announceChanges(false);
        return isChanged !== null;
      },
      drop: async (seen, reading) => {
        const isChanged = await removeUnlisted(database, connection, seen, reading);
        if (isChanged) unannounced += 1;
        return isChanged !== null;
      },
      progress,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
    });
  } finally {
    await announceChanges(true);
    database.close();
  }
}
