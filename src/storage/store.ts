import browser from '../browser/browser.ts';
import { recover } from '../queue/crash-recovery.ts';
import { correctTimes } from '../queue/limits.ts';
import { sortByQueueOrder } from '../queue/queue-order.ts';
import { type Finished, finishedBetween } from '../queue/results/finished-requests.ts';
import type { Connection, Group, Link, Queue, VisibleQueues } from '../queue/types.ts';
import { deleteOldGroups, type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { broadcastChange } from './change-broadcast.ts';
import { type Database, deleteDatabase, type Open, ReopeningDatabase, type StoreName, writeIn } from './database.ts';
import { findLinks, type LinkLookup, type LinkQuery, withoutConnection } from './link-queries.ts';
import { visibleLinks, visibleOf } from './load-page-data.ts';
import {
  addMarks,
  assertFits,
  clearPrivate,
  codeMark,
  hasPrivate,
  NOTHING_PRIVATE,
  type PrivateMemory,
  readMarks,
  readPrivate,
  writePrivate,
} from './private-memory.ts';
import {
  type AllQueues,
  attemptsOf,
  byPreference,
  loadApiKeys,
  loadQueues,
  QUEUE_STORES,
  requestsOf,
  writeLinksAndGroups,
  writeQueues,
} from './queue-records.ts';

const ALL_STORES: StoreName[] = [...QUEUE_STORES, 'links', 'groups', 'secrets'];

/** Pure function that returns the changed queue. */
export type QueueChange<T> = (queue: Queue, context: ChangeContext) => ChangedQueue<T>;

export interface ChangeContext {
  now: number;
  apiKey: string;
  /** Links of any connection that match the caller's lookup, including links from private windows. */
  knownLinks: Link[];
}

interface ChangedQueue<T> {
  queue: Queue;
  links?: Link[];
  group?: Group;
  result: T;
}

/** Pure function that returns all queues after a change. An omitted queue is deleted together with its connection. */
export type AllQueuesChange<T> = (all: AllQueues, now: number, knownLinks: Link[]) => ChangedQueues<T>;

interface ChangedQueues<T> extends Omit<ChangedQueue<T>, 'queue'> {
  all: AllQueues;
}

/** State of the background worker. It equals the data on disk, except for corrected times and private data. */
interface Memory {
  all: AllQueues;
  /** Queues as they are on disk, to write only the records that differ. */
  stored: AllQueues;
  private: Pick<PrivateMemory, 'links' | 'groups'>;
}

/**
 * Owner of the queues. The background worker loads all queues once, recovers them, and then changes them in memory and
 * on disk. Pages read the database and send commands. Only the background worker writes queues.
 */
export class Store {
  readonly #database: ReopeningDatabase;
  readonly #clock: () => number;
  readonly #own: () => Promise<void>;
  readonly #onRecovered: (finished: Finished) => void;
  #memory: Memory | null = null;
  /**
   * Connections whose queues this background worker has recovered since it started. A queue that is loaded again is
   * not recovered, because its send may still be in progress.
   */
  readonly #recovered = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /**
   * Number of times that the user has deleted all data. Work that began before a deletion must not restore deleted
   * data.
   */
  erasures = 0;

  /**
   * @param own waits until no other background worker uses the queues
   * @param onRecovered called with the requests that finished while a queue was recovered
   */
  constructor(
    open: Open,
    clock: () => number,
    own: () => Promise<void> = async () => undefined,
    onRecovered: (finished: Finished) => void = () => undefined,
  ) {
    const forget = () => {
      this.#memory = null;
    };
    this.#database = new ReopeningDatabase((closed) =>
      open(() => {
        forget();
        closed();
      }),
    );
    this.#clock = clock;
    this.#own = own;
    this.#onRecovered = onRecovered;
  }

  /** Returns all queues. The default connection's queue comes first. */
  async queues(): Promise<Queue[]> {
    return (await this.#inTurn(({ all }) => all)).queues;
  }

  async queue(connectionId: string): Promise<Queue | null> {
    return (await this.queues()).find(({ connection }) => connection.id === connectionId) ?? null;
  }

  /** Returns the queues for a page. Requests from private windows are returned only to pages in private windows. */
  view(isPrivate: boolean): Promise<VisibleQueues> {
    return this.#inTurn(({ all }) => visibleOf(all, isPrivate, this.#clock()));
  }

  links(isPrivate: boolean, query: LinkQuery): Promise<Link[]> {
    return this.#inTurn(({ private: { links } }, database) => visibleLinks(database, isPrivate ? links : [], query));
  }

  group(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
    return this.#inTurn((memory, database) => visibleGroup(database, isPrivate ? memory.private : NOTHING_PRIVATE, id));
  }

  readWithKey(connectionId: string): Promise<{ connection: Connection; apiKey: string } | null> {
    return this.#inTurn(({ all }) => {
      const queue = all.queues.find(({ connection }) => connection.id === connectionId);
      return queue ? { connection: queue.connection, apiKey: all.apiKeys.get(connectionId) ?? '' } : null;
    });
  }

  /**
   * Changes one queue in one transaction. Resolves once the change is on disk. The result is null if the connection
   * does not exist.
   *
   * @param lookup selects the links that `change` receives as `knownLinks`
   */
  update<T>(connectionId: string, change: QueueChange<T>, lookup: LinkLookup = {}): Promise<T | null> {
    return this.updateAll<T | null>((all, now, knownLinks) => {
      const queue = all.queues.find(({ connection }) => connection.id === connectionId);
      if (!queue) return { all, result: null };
      const changed = change(queue, { now, apiKey: all.apiKeys.get(connectionId) ?? '', knownLinks });
      const queues = all.queues.map((one) => (one === queue ? changed.queue : one));
      return { ...changed, all: changed.queue === queue ? all : { ...all, queues } };
    }, lookup);
  }

  /**
   * Changes all queues and connections in one transaction. If `change` omits a connection, its API key, queue and
   * requests are deleted. Links that were created in this browser are kept. Changes run one after the other.
   *
   * @param lookup selects the links that `change` receives as `knownLinks`
   */
  updateAll<T>(change: AllQueuesChange<T>, lookup: LinkLookup = {}): Promise<T> {
    return this.#inTurn(async (memory, database) => {
      const { all: before, private: hidden } = memory;
      const written = await writeIn(database, ALL_STORES, async (transaction) => {
        const knownLinks = await findLinks(transaction, hidden.links, lookup);
        const { all, links: added = [], group, result } = change(before, this.#clock(), knownLinks);
        const after = isSame(all, before) ? before : inOrder(all, before);
        const kept = await withoutConnection(transaction, hidden.links, disconnectedIds(before, after));
        const links = [...kept.links, ...added];
        const next = privateAfter(hidden, after, links, group);
        assertFits(privateOf(before, hidden), next);
        await writeQueues(transaction, memory.stored, after);
        await writeLinksAndGroups(transaction, links, kept.gone, group ? [group] : []);
        return { after, links, gone: kept.gone, next, result };
      });
      const { after, links, gone, next, result } = written;
      this.#memory = { all: after, stored: after, private: next };
      await this.#writePrivate(privateOf(before, hidden), next);
      for (const { connection } of after.queues) this.#recovered.add(connection.id);
      await broadcastChange({ queues: after !== before, links: links.length + gone.length > 0, added: links });
      return result;
    });
  }

  /**
   * Loads all queues again before the next access, for example because a page has imported data.
   *
   * @param lostId connection whose queue must be recovered too, because sending failed with an unexpected error
   */
  reload(lostId?: string): void {
    // Work in progress must end first, because it sets the memory again.
    void this.#withLock(async () => {
      if (lostId !== undefined) this.#recovered.delete(lostId);
      this.#memory = null;
    });
  }

  /** Deletes links from this browser. Their short URLs continue to work. */
  removeLinks(ids: string[]): Promise<void> {
    return this.#inTurn(async (memory, database) => {
      await writeIn(database, ['links'], (transaction) =>
        Promise.all(ids.map((id) => transaction.objectStore('links').delete(id))),
      );
      const links = memory.private.links.filter(({ id }) => !ids.includes(id));
      const before = privateOf(memory.all, memory.private);
      this.#memory = { ...memory, private: { ...memory.private, links } };
      if (links.length < before.links.length) await writePrivate({ ...before, links });
      await broadcastChange({ queues: false, links: true });
    });
  }

  /** Deletes all data from private windows, including requests that are being sent. Used quota stays used. */
  forgetPrivate(): Promise<void> {
    return this.#withLock(async () => {
      if (!(await clearPrivate())) return;
      this.#memory = null;
      await broadcastChange({ queues: true, links: true });
    });
  }

  hasPrivate(): Promise<boolean> {
    return this.#withLock(hasPrivate);
  }

  /** Marks the short code of a link from a private window, so that a later sync does not store the link. */
  markPrivate(shortCode: string): Promise<void> {
    return this.#withLock(() => addMarks([codeMark(shortCode)]));
  }

  /** Deletes old bulk lists. */
  forgetOld(): Promise<void> {
    return this.#inTurn(async (_memory, database) => {
      await writeIn(database, ['groups'], (transaction) => deleteOldGroups(transaction, this.#clock()));
    });
  }

  /**
   * Deletes the database, the settings and the data in memory. Only the hashes that identify links from private
   * windows remain. A sync needs these hashes so that it does not store such links.
   */
  deleteEverything(): Promise<void> {
    return this.#withLock(async () => {
      this.erasures += 1;
      // This also closes the open database connection. The next access opens a new one.
      await deleteDatabase();
      this.#memory = null;
      await browser.storage.local.clear();
      const marks = await readMarks();
      await browser.storage.session.clear();
      await addMarks([...marks]);
      await broadcastChange({ queues: true, links: true });
    });
  }

  /** Loads all queues, and recovers those that the previous background worker left behind. */
  async #load(database: Database): Promise<Memory> {
    await this.#own();
    const hidden = await readPrivate();
    const loaded = await writeIn(database, ALL_STORES, async (transaction) => {
      const apiKeys = await loadApiKeys(transaction);
      const stored = { ...(await loadQueues(transaction, hidden)), apiKeys };
      const now = this.#clock();
      const queues = stored.queues.map((queue) => {
        const corrected = correctTimes(queue, now);
        return this.#recovered.has(queue.connection.id) ? corrected : recover(corrected, now);
      });
      const all = { ...stored, queues };
      await writeQueues(transaction, stored, all);
      return { stored, all, now };
    });
    const { stored, all, now } = loaded;
    this.#memory = { all, stored: all, private: { links: hidden.links, groups: hidden.groups } };
    await this.#writePrivate(privateOf(stored, hidden), privateOf(all, hidden));
    for (const [index, queue] of all.queues.entries()) {
      this.#recovered.add(queue.connection.id);
      const before = stored.queues[index];
      const finished = before && finishedBetween(before, queue, [], now);
      if (finished) this.#onRecovered(finished);
    }
    return this.#memory;
  }

  /**
   * Stores the data from private windows in memory that survives this background worker. If the worker stops before,
   * a request from a private window may have used quota without being sent. The opposite is impossible.
   */
  async #writePrivate(before: PrivateMemory, after: PrivateMemory): Promise<void> {
    const names = ['requests', 'attempts', 'links', 'groups'] as const;
    if (names.some((name) => !isSameList(before[name], after[name]))) await writePrivate(after);
  }

  /** Runs work on the queues. If it fails, the queues are loaded again before the next access. */
  #inTurn<T>(work: (memory: Memory, database: Database) => T | Promise<T>): Promise<T> {
    return this.#withLock(async () => {
      const database = await this.#database.get();
      const memory = this.#memory ?? (await this.#load(database));
      const now = this.#clock();
      const queues = memory.all.queues.map((queue) => correctTimes(queue, now));
      if (queues.some((queue, index) => queue !== memory.all.queues[index])) memory.all = { ...memory.all, queues };
      try {
        return await work(memory, database);
      } catch (error) {
        this.#memory = null;
        throw error;
      }
    });
  }

  /** Runs work while no other work is running. */
  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function isSame(one: AllQueues, other: AllQueues): boolean {
  return isSameList(one.queues, other.queues) && isSameList([...one.apiKeys].flat(), [...other.apiKeys].flat());
}

function isSameList(one: unknown[], other: unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Returns queues after a change, in the order in which they are shown and sent. */
function inOrder(all: AllQueues, before: AllQueues): AllQueues {
  const unchanged = new Set(before.queues);
  const queues = all.queues.map((queue) =>
    unchanged.has(queue) ? queue : { ...queue, requests: queue.requests.toSorted(sortByQueueOrder) },
  );
  const ids = new Set(queues.map(({ connection }) => connection.id));
  return {
    queues: queues.sort(byPreference),
    apiKeys: new Map([...all.apiKeys].filter(([id]) => ids.has(id))),
  };
}

/**
 * Returns the ids of connections that were deleted or whose address changed. The stored links of such a connection no
 * longer belong to any connection.
 */
function disconnectedIds(before: VisibleQueues, after: VisibleQueues): string[] {
  const addresses = new Map(after.queues.map(({ connection }) => [connection.id, connection.baseUrl]));
  return before.queues
    .filter(({ connection }) => addresses.get(connection.id) !== connection.baseUrl)
    .map(({ connection }) => connection.id);
}

/** Returns all data from private windows. */
function privateOf(all: VisibleQueues, { links, groups }: Memory['private']): PrivateMemory {
  const isPrivate = (one: { private: boolean }) => one.private;
  return { requests: requestsOf(all).filter(isPrivate), attempts: attemptsOf(all).filter(isPrivate), links, groups };
}

function privateAfter(
  { links, groups }: Memory['private'],
  after: VisibleQueues,
  added: Link[],
  group: Group | undefined,
): PrivateMemory {
  const fresh = added.filter((link) => link.private);
  const ids = new Set(fresh.map(({ id }) => id));
  return privateOf(after, {
    links: fresh.length === 0 ? links : [...links.filter(({ id }) => !ids.has(id)), ...fresh],
    groups: group?.private ? [...groups.filter(({ id }) => id !== group.id), group] : groups,
  });
}
