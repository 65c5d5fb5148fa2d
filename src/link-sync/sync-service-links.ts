import type { ListReading } from '../queue/types.ts';
import type { LinkListPage, ListedLink, ServiceProblem, ServiceResult } from '../services/link-operations.ts';
import type { Seen } from '../storage/merge-service-links.ts';

/** Maximum number of links that a sync reads from one service, newest first. */
export const MAX_LINKS = 20_000;

/** Maximum number of list pages that a sync reads, because a faulty service could return empty pages without end. */
const MAX_PAGES = 500;

/**
 * Number of list pages that a sync reads without pausing. Services allow bursts of 20 requests, so half of them
 * remain for other operations.
 */
const BURST = 10;

/** Minimum time between two requests after the first `BURST` requests. Services allow 10 requests per second. */
const GAP_MS = 110;

/** Maximum time to wait after a 429 response. If the service demands a longer wait, the sync ends. */
const MAX_WAIT_MS = 30_000;

/** Maximum number of waits after 429 responses for the same list page. */
const MAX_WAITS = 5;

export interface SyncDependencies {
  /** Reads one page from the service's list. Never throws. */
  list: (cursor: string) => Promise<ServiceResult<LinkListPage>>;
  /** Stores the links of one list page. Returns false if the connection has changed and the sync must stop. */
  store: (links: ListedLink[]) => Promise<boolean>;
  /** Removes the links that are no longer in the service's list. Returns false if the connection has changed. */
  removeMissing: (seen: Seen, reading: ListReading) => Promise<boolean>;
  keyOf: (link: ListedLink) => string;
  progress: (count: number) => void;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}

/**
 * Result of a sync. Null if the connection was deleted or changed during the sync.
 */
export type SyncResult = ListReading | { problem: ServiceProblem } | null;

/** Reads a service's list of links page by page, newest first, and stores each page. */
export async function syncServiceLinks(dependencies: SyncDependencies): Promise<SyncResult> {
  const { store, removeMissing, keyOf, progress, now } = dependencies;
  const startedAt = now();
  const keys = new Set<string>();
  const cursors = new Set<string>();
  const pages = new PacedPages(dependencies);
  let unreadable = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let lastTotal = 0;
  let isShorter = false;
  let cursor: string | null = '';
  while (cursor !== null && keys.size < MAX_LINKS && cursors.size < MAX_PAGES) {
    cursors.add(cursor);
    const result: ServiceResult<LinkListPage> = await pages.read(cursor);
    if ('problem' in result) return { problem: result.problem };
    const { links, nextCursor, unreadable: invalid, total = 0 }: LinkListPage = result.value;
    // If a service returned the same cursor twice, the sync would never end.
    if (nextCursor !== null && cursors.has(nextCursor)) return { problem: 'not_understood' };
    if (!(await store(links))) return null;
    for (const link of links) {
      keys.add(keyOf(link));
      if (link.createdAt !== null) oldest = Math.min(oldest, link.createdAt);
    }
    isShorter ||= total < lastTotal;
    lastTotal = total;
    unreadable += invalid;
    progress(keys.size);
    cursor = nextCursor;
  }
  const isCut = cursor !== null;
  const reading = { at: startedAt, unreadable, isCut };
  // If the list became shorter during the sync, the sync may have skipped some links. `Infinity` prevents the removal
  // of such links.
  const readBackTo = isShorter ? Number.POSITIVE_INFINITY : isCut ? oldest : null;
  return (await removeMissing({ keys, startedAt, oldest: readBackTo }, reading)) ? reading : null;
}

/** Reads list pages at the rate that the service allows, and waits after a 429 response. */
class PacedPages {
  readonly #dependencies: Pick<SyncDependencies, 'list' | 'sleep' | 'now'>;
  #count = 0;
  #lastAt = 0;

  constructor(dependencies: Pick<SyncDependencies, 'list' | 'sleep' | 'now'>) {
    this.#dependencies = dependencies;
  }

  async read(cursor: string): Promise<ServiceResult<LinkListPage>> {
    const { list, sleep, now } = this.#dependencies;
    for (let waits = 0; ; waits += 1) {
      this.#count += 1;
      if (this.#count > BURST) await sleep(Math.min(GAP_MS, Math.max(0, this.#lastAt + GAP_MS - now())));
      this.#lastAt = now();
      const result = await list(cursor);
      if (!('problem' in result) || result.problem !== 'throttled' || waits === MAX_WAITS) return result;
      const waitMs = (result.retryAfterSeconds ?? 1) * 1000;
      if (waitMs > MAX_WAIT_MS) return result;
      await sleep(waitMs);
    }
  }
}
