import browser from '../browser/browser.ts';
import { recover } from '../queue/crash-recovery.ts';
import { correctTimes } from '../queue/limits.ts';
import type { Finished } from '../queue/results/finished-requests.ts';
import type { Connection, Link, Queue, VisibleQueues } from '../queue/types.ts';
import { deleteOldGroups, type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { broadcastChange } from './change-broadcast.ts';
import {
  type Database,
  deleteDatabase,
  type Open,
  ReopeningDatabase,
  readIn,
  type StoreName,
  type WriteTransaction,
  writeIn,
} from './database.ts';
import type { LinkLookup, LinkQuery } from './link-queries.ts';
import { visibleLinks, visibleQueues } from './load-page-data.ts';
import { cacheWritten, loadQueues, QUEUE_STORES, type QueueCache } from './load-queues.ts';
import {
  addMarks,
  clearPrivate,
  codeMark,
  hasPrivate,
  type PrivateMemory,
  readMarks,
  readPrivate,
  writePrivate,
} from './private-memory.ts';
import { changeNotice, updatePrivateMemory } from './save-queues.ts';
import {
  type AllQueuesChange,
  type QueueChange,
  readApiKey,
  UPDATE_STORES,
  updateAllQueues,
  updateQueue,
  type Written,
} from './update-queues.ts';

/** Reads and writes the database for the background worker. */
export class Store {
  readonly #database: ReopeningDatabase;
  readonly #clock: () => number;
  readonly #onRecovered: (finished: Finished) => void;
  readonly #cache: QueueCache = new Map();
  /** Connections whose queues this background worker has recovered since it started. */
  readonly #recovered = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /**
   * Number of times that the user has deleted all data. Work that began before a deletion must not restore deleted
   * data.
   */
  erasures = 0;

  /** @param onRecovered called with the requests that finished while a queue was recovered */
  constructor(open: Open, clock: () => number, onRecovered: (finished: Finished) => void = () => undefined) {
    this.#database = new ReopeningDatabase(open);
    this.#clock = clock;
    this.#onRecovered = onRecovered;
  }

  /** Reads all queues. The default connection's queue comes first. */
  queues(): Promise<Queue[]> {
    return this.#load();
  }

  async queue(connectionId: string): Promise<Queue | null> {
    return (await this.#load(connectionId))[0] ?? null;
  }

  /** Reads the queues for a page. Requests from private windows are returned only to pages in private windows. */
  view(isPrivate: boolean): Promise<VisibleQueues> {
    return this.#locked((database, memory) => visibleQueues(database, memory, isPrivate, this.#clock()));
  }

  links(isPrivate: boolean, query: LinkQuery): Promise<Link[]> {
    return this.#locked((database, memory) => visibleLinks(database, memory, isPrivate, query));
  }

  group(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
    return this.#locked((database, memory) => visibleGroup(database, memory, isPrivate, id));
  }

  readWithKey(connectionId: string): Promise<{ connection: Connection; apiKey: string } | null> {
    return this.#locked((database) =>
      readIn(database, ['connections', 'secrets'], async (transaction) => {
        const connection = await transaction.objectStore('connections').get(connectionId);
        return connection ? { connection, apiKey: await readApiKey(transaction, connectionId) } : null;
      }),
    );
  }

  /**
   * Changes one queue in one transaction. Resolves once the change is on disk. The result is null if the connection
   * does not exist. Updates run one after the other.
   *
   * @param lookup selects the links that `change` receives as `knownLinks`
   */
  update<T>(connectionId: string, change: QueueChange<T>, lookup: LinkLookup = {}): Promise<T | null> {
    const context = { cache: this.#cache, prepare: this.#upToDate, clock: this.#clock };
    return this.#write(UPDATE_STORES, (transaction, memory) =>
      updateQueue(transaction, memory, context, connectionId, change, lookup),
    );
  }

  /**
   * Changes all queues and connections in one transaction. If `change` omits a connection, its API key, queue and
   * requests are deleted. Links that were created in this browser are kept.
   *
   * @param lookup selects the links that `change` receives as `knownLinks`
   */
  updateAll<T>(change: AllQueuesChange<T>, lookup: LinkLookup = {}): Promise<T> {
    const context = { prepare: this.#upToDate, clock: this.#clock };
    return this.#write(UPDATE_STORES, (transaction, memory) =>
      updateAllQueues(transaction, memory, context, change, lookup),
    );
  }

  /**
   * Forces the queue to be repaired at its next read or update. This is needed if sending failed with an unexpected
   * error.
   */
  recoverAgain(connectionId: string): void {
    this.#recovered.delete(connectionId);
  }

  /** Deletes links from this browser. Their short URLs continue to work. */
  removeLinks(ids: string[]): Promise<void> {
    return this.#locked(async (database, memory) => {
      const removed = new Set(ids);
      await writeIn(database, ['links'], (transaction) =>
        Promise.all(ids.map((id) => transaction.objectStore('links').delete(id))),
      );
      const links = memory.links.filter((link) => !removed.has(link.id));
      if (links.length < memory.links.length) await writePrivate({ ...memory, links });
      await broadcastChange({ queues: false, links: true });
    });
  }

  forgetPrivate(): Promise<void> {
    return this.#withLock(async () => {
      if (await clearPrivate()) await broadcastChange({ queues: true, links: true });
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
    return this.#locked(async (database) => {
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
      this.#cache.clear();
      await browser.storage.local.clear();
      const marks = await readMarks();
      await browser.storage.session.clear();
      await addMarks([...marks]);
      await broadcastChange({ queues: true, links: true });
    });
  }

  /**
   * Corrects the times stored in a queue if the computer's clock was set back. If the previous background worker
   * stopped while sending, also repairs the queue.
   */
  readonly #upToDate = (queue: Queue, now: number): Queue => {
    const corrected = correctTimes(queue, now);
    return this.#recovered.has(queue.connection.id) ? corrected : recover(corrected, now);
  };

  /**
   * Reads one queue or all queues. Queues that had to be corrected are stored before they are returned. Otherwise,
   * their delays would start again at each read.
   */
  async #load(connectionId?: string): Promise<Queue[]> {
    const { queues, outdated } = await this.#locked(async (database, memory) => {
      const queues = await readIn(database, QUEUE_STORES, (transaction) =>
        loadQueues(transaction, memory, this.#cache, connectionId),
      );
      const now = this.#clock();
      const outdated = queues.filter((queue) => this.#upToDate(queue, now) !== queue);
      for (const queue of queues) if (!outdated.includes(queue)) this.#recovered.add(queue.connection.id);
      return { queues, outdated };
    });
    if (outdated.length === 0) return queues;
    for (const { connection } of outdated) await this.update(connection.id, (queue) => ({ queue, result: null }));
    return this.#load(connectionId);
  }

  /**
   * Runs one update. Writes to the database first, then stores the data from private windows, and then tells pages
   * about the change. If the background worker stops after the first write, a request from a private window may have
   * used quota without being sent. The opposite is impossible: a request that is sent has always used quota.
   */
  #write<T>(
    stores: StoreName[],
    update: (transaction: WriteTransaction, memory: PrivateMemory) => Promise<Written<T>>,
  ): Promise<T> {
    return this.#locked(async (database, memory) => {
      const { result, change, finished } = await writeIn(database, stores, (transaction) =>
        update(transaction, memory),
      );
      cacheWritten(this.#cache, change);
      const next = updatePrivateMemory(memory, change);
      if (next !== memory) await writePrivate(next);
      for (const { connection } of change.after.queues) this.#recovered.add(connection.id);
      await broadcastChange(changeNotice(change));
      for (const one of finished) this.#onRecovered(one);
      return result;
    });
  }

  #locked<T>(work: (database: Database, memory: PrivateMemory) => Promise<T>): Promise<T> {
    return this.#withLock(async () => {
      const memory = await readPrivate();
      return work(await this.#database.get(), memory);
    });
  }

  /**
   * Runs work while no other work is running. The data from private windows is not covered by database transactions,
   * so each access needs this lock.
   */
  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
