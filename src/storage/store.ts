import browser from '../browser/browser.ts';
import { correctTimes } from '../queue/limits.ts';
import { sortByQueueOrder } from '../queue/next-step.ts';
import { type Finished, finishedBetween } from '../queue/result.ts';
import { recover } from '../queue/sending.ts';
import type { Connection, Link, Queue, RequestList, VisibleQueues } from '../queue/types.ts';
import {
  type AllQueues,
  broadcastChange,
  type Database,
  deleteDatabase,
  inTransaction,
  loadApiKeys,
  type Open,
  type StoreName,
  type WriteTransaction,
  writeQueues,
} from './database.ts';
import { disconnectLinks, findLinks, type LinkLookup, writeLink } from './links.ts';
import { byPreference, loadQueues } from './load-page-data.ts';
import { deleteSettings } from './settings.ts';

const ALL_STORES: StoreName[] = ['queues', 'requests', 'links', 'lists', 'secrets'];

/** Age at which a bulk list is deleted. At 20 links a day, a list of 1,000 URLs takes seven weeks to send. */
const MAX_LIST_AGE_MS = 90 * 24 * 3_600_000;

/** Records that a change adds, and its result. */
interface Change<T> {
  links?: Link[];
  list?: RequestList;
  result: T;
}

/** Pure function that returns the changed queue. */
export type QueueChange<T> = (queue: Queue, context: QueueContext) => Change<T> & { queue: Queue };

interface QueueContext {
  now: number;
  apiKey: string;
  /** Links of any connection that match the caller's lookup. */
  knownLinks: Link[];
}

/** Pure function that returns all queues after a change. An omitted queue is deleted together with its connection. */
export type AllQueuesChange<T> = (all: AllQueues, now: number, knownLinks: Link[]) => Change<T> & { all: AllQueues };

interface Loaded {
  database: Database;
  all: AllQueues;
}

/**
 * Owner of the queues. The background worker loads all queues once, recovers them, and then changes them in memory and
 * on disk. Pages read the database and send commands. Only the background worker writes.
 */
export class Store {
  readonly #open: Open;
  readonly #clock: () => number;
  readonly #own: () => Promise<void>;
  /** Resolves when no other background worker uses the queues. Null before the first access and after a failure. */
  #owned: Promise<void> | null = null;
  readonly #onRecovered: (finished: Finished) => void;
  /** The open database. Null if it must be opened again. */
  #database: Database | null = null;
  /** Queues as they are on disk. Null if they must be loaded again. */
  #memory: AllQueues | null = null;
  /** Time of the last access. If the clock shows an earlier time, the queues are loaded again. */
  #lastAccess = 0;
  /**
   * Connections whose queues must be recovered when they are loaded: all of them (null) if this background worker has
   * just started. Otherwise, a queue that is loaded again may have a send in progress, and is not recovered.
   */
  #lost: Set<string> | null = null;
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
    own = () => Promise.resolve(),
    onRecovered: (finished: Finished) => void = () => undefined,
  ) {
    this.#open = open;
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
    return this.#inTurn(async ({ all: before, database }) => {
      const written = await inTransaction(database, ALL_STORES, 'readwrite', async (transaction) => {
        const knownLinks = await findLinks(transaction, lookup);
        const { all, links = [], list, result } = change(before, this.#clock(), knownLinks);
        const after = inOrder(all, before);
        const connections = after.queues.map(({ connection }) => connection);
        const isDisconnected = await disconnectLinks(transaction, disconnectedIds(before, after));
        await Promise.all(links.map((link) => writeLink(transaction, link, connections)));
        if (list) await writeList(transaction, list);
        const hasChanged = await writeQueues(transaction, before, after);
        return { after, result, changed: { queues: hasChanged, links: isDisconnected || links.length > 0 } };
      });
      // If the database was closed during the change, the queues are loaded again.
      if (this.#memory) this.#memory = written.after;
      await broadcastChange(written.changed);
      return written.result;
    });
  }

  /**
   * Changes stored links and bulk lists in one transaction.
   *
   * @param work must await each of its writes. It may await only the transaction's own database requests. It receives
   * the current queues.
   */
  writeLinks<T>(work: (transaction: WriteTransaction, queues: Queue[]) => Promise<T>): Promise<T> {
    return this.#inTurn(({ all, database }) =>
      inTransaction(database, ['links', 'lists'], 'readwrite', (transaction) => work(transaction, all.queues)),
    );
  }

  /** Deletes links from this browser. Their short URLs continue to work. The caller tells open pages. */
  async removeLinks(ids: string[]): Promise<void> {
    await this.writeLinks((transaction) => Promise.all(ids.map((id) => transaction.objectStore('links').delete(id))));
  }

  /**
   * Loads all queues again before the next access, and recovers the queue of a connection, because sending failed with
   * an unexpected error.
   */
  reload(lostId: string): void {
    // Work in progress must end first, because it sets the memory again.
    void this.#withLock(async () => {
      this.#lost?.add(lostId);
      this.#memory = null;
    });
  }

  /** Deletes the database, the settings and the data in memory. */
  deleteEverything(): Promise<void> {
    return this.#withLock(async () => {
      this.erasures += 1;
      // This also closes the open database. The next access opens a new one.
      await deleteDatabase();
      this.#memory = null;
      await deleteSettings();
      await browser.storage.session.clear();
      await broadcastChange({ queues: true, links: true });
    });
  }

  /** Opens the database. If the browser closes it, the next access opens it again. */
  async #openDatabase(): Promise<Database> {
    let isClosed = false;
    const database = await this.#open(() => {
      isClosed = true;
      this.#database = null;
      this.#memory = null;
    });
    if (!isClosed) this.#database = database;
    return database;
  }

  /** Waits until this background worker owns the queues. All accesses wait together, so each waits only once. */
  #waitUntilOwned(): Promise<void> {
    this.#owned ??= this.#own().catch((error) => {
      this.#owned = null;
      throw error;
    });
    return this.#owned;
  }

  /** Loads all queues, and recovers those that the previous background worker left behind. */
  async #load(database: Database): Promise<AllQueues> {
    const now = this.#clock();
    const { before, after } = await inTransaction(database, ALL_STORES, 'readwrite', async (transaction) => {
      const before = { ...(await loadQueues(transaction)), apiKeys: await loadApiKeys(transaction) };
      const queues = before.queues.map((queue) => {
        const corrected = correctTimes(queue, now);
        return !this.#lost || this.#lost.has(queue.connection.id) ? recover(corrected, now) : corrected;
      });
      const after = { ...before, queues };
      await writeQueues(transaction, before, after);
      return { before, after };
    });
    this.#lost = new Set();
    // The previous background worker may have been stopped before it told open pages about its last change.
    await broadcastChange({ queues: true, links: true });
    for (const [index, queue] of before.queues.entries()) {
      const finished = finishedBetween(queue, after.queues[index] ?? queue, [], now);
      if (finished) this.#onRecovered(finished);
    }
    return after;
  }

  /**
   * Runs work on the queues. If the work fails, the database was closed or the clock was set back, the queues are
   * loaded again.
   */
  async #inTurn<T>(work: (loaded: Loaded) => T | Promise<T>): Promise<T> {
    await this.#waitUntilOwned();
    return this.#withLock(async () => {
      const now = this.#clock();
      if (now < this.#lastAccess) this.#memory = null;
      this.#lastAccess = now;
      const database = this.#database ?? (await this.#openDatabase());
      const all = this.#memory ?? (await this.#load(database));
      if (this.#database === database) this.#memory = all;
      try {
        return await work({ all, database });
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

/** Writes a bulk list. If its page did not receive the first reply, it may send the list again with other URLs. */
async function writeList(transaction: WriteTransaction, list: RequestList): Promise<void> {
  const store = transaction.objectStore('lists');
  const stored = await store.get(list.id);
  const ids = new Set([...(stored?.ids ?? []), ...list.ids]);
  await store.put({ ...list, ids: [...ids] });
  const old = await store.index('createdAt').getAllKeys(IDBKeyRange.upperBound(list.createdAt - MAX_LIST_AGE_MS));
  for (const id of old) await store.delete(id);
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
