import browser from '../browser/browser.ts';
import { recover } from '../queue/crash-recovery.ts';
import { type Clock, withClock } from '../queue/limits/clock-changes.ts';
import { isExpired } from '../queue/limits/removed-key-quota.ts';
import type { Finished } from '../queue/results/finished-requests.ts';
import type { Connection, Link, Queue, Time, VisibleQueues } from '../queue/types.ts';
import { deleteOldGroups, type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { broadcastChange } from './change-broadcast.ts';
import {
  type Database,
  deleteDatabase,
  type Open,
  ReopeningDatabase,
  readIn,
  resultOf,
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
import { changeNotice, readAllByKey, updatePrivateMemory, writeChangedByKey } from './save-queues.ts';
import {
  type AllQueuesChange,
  type QueueChange,
  readApiKey,
  UPDATE_ALL_STORES,
  UPDATE_STORES,
  updateAllQueues,
  updateQueue,
  type Written,
} from './update-queues.ts';

/** Reads and writes the database for the background. No other code writes to it, except `save-import.ts`. */
export class Store {
  readonly #database: ReopeningDatabase;
  readonly #clock: Clock;
  readonly #onRecovered: (finished: Finished) => void;
  readonly #cache: QueueCache = new Map();
  /** Connections whose queues this worker has recovered. */
  readonly #recovered = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /** Number of times that everything was deleted. Work that began before must not bring anything back. */
  erasures = 0;

  /** @param onRecovered called with what the recovery of a queue finished */
  constructor(open: Open, clock: Clock, onRecovered: (finished: Finished) => void = () => undefined) {
    this.#database = new ReopeningDatabase(open);
    this.#clock = clock;
    this.#onRecovered = onRecovered;
  }

  /** Reads every queue, the default connection's first. */
  queues(): Promise<Queue[]> {
    return this.#load();
  }

  /** Reads the queue of a connection. Returns null if the connection does not exist. */
  async queue(connectionId: string): Promise<Queue | null> {
    return (await this.#load(connectionId))[0] ?? null;
  }

  /** Reads the queues as a page shows them. Only pages in private windows see private requests. */
  view(isPrivate: boolean): Promise<VisibleQueues> {
    return this.#locked((database, memory) => visibleQueues(database, memory, isPrivate, this.#clock().now));
  }

  /** Reads links as a page shows them. Only pages in private windows see private links. */
  links(isPrivate: boolean, query: LinkQuery): Promise<Link[]> {
    return this.#locked((database, memory) => visibleLinks(database, memory, isPrivate, query));
  }

  /** Reads a group and its links. Returns null if the group does not exist. */
  group(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
    return this.#locked((database, memory) => visibleGroup(database, memory, isPrivate, id));
  }

  /** Reads a connection and its API key. Returns null if the connection does not exist. */
  readWithKey(connectionId: string): Promise<{ connection: Connection; apiKey: string } | null> {
    return this.#locked((database) =>
      readIn(database, ['connections', 'secrets'], async (transaction) => {
        const connection = await resultOf(transaction.objectStore('connections').get(connectionId));
        return connection ? { connection, apiKey: await readApiKey(transaction, connectionId) } : null;
      }),
    );
  }

  /**
   * Changes one queue in one transaction. Resolves with the change's result once it is on disk, or with null if the
   * connection does not exist. Updates run one after the other.
   *
   * @param lookup links that the change needs as `knownLinks`
   */
  update<T>(connectionId: string, change: QueueChange<T>, lookup: LinkLookup = {}): Promise<T | null> {
    const context = { cache: this.#cache, prepare: this.#upToDate, time: this.#clock };
    return this.#write(UPDATE_STORES, (transaction, memory) =>
      updateQueue(transaction, memory, context, connectionId, change, lookup),
    );
  }

  /**
   * Changes all queues and connections in one transaction. If the change leaves a connection out, its key, queue and requests
   * are deleted. Its links stay, without a connection. The same happens to links if a connection gets another address.
   *
   * @param lookup links that the change needs as `knownLinks`
   */
  updateAll<T>(change: AllQueuesChange<T>, lookup: LinkLookup = {}): Promise<T> {
    const context = { prepare: this.#upToDate, time: this.#clock };
    return this.#write(UPDATE_ALL_STORES, (transaction, memory) =>
      updateAllQueues(transaction, memory, context, change, lookup),
    );
  }

  /** Makes the next read or update recover this queue again, after its runner failed while it was sending. */
  recoverAgain(connectionId: string): void {
    this.#recovered.delete(connectionId);
  }

  /** Deletes links here. The short URLs themselves continue to work. */
  removeLinks(ids: string[]): Promise<void> {
    return this.#locked(async (database, memory) => {
      const removed = new Set(ids);
      await writeIn(database, ['links'], async (transaction) => {
        for (const id of removed) transaction.objectStore('links').delete(id);
      });
      const links = memory.links.filter((link) => !removed.has(link.id));
      if (links.length < memory.links.length) await writePrivate({ ...memory, links });
      await broadcastChange({ queues: false, links: true });
    });
  }

  /** Deletes all private data, including requests that are being sent. */
  forgetPrivate(): Promise<void> {
    return this.#withLock(async () => {
      if (await clearPrivate()) await broadcastChange({ queues: true, links: true });
    });
  }

  /** True if private data is in memory. */
  hasPrivate(): Promise<boolean> {
    return this.#withLock(hasPrivate);
  }

  /** Marks the short code of a private link, so that a later listing of the service does not store it. */
  markPrivate(shortCode: string): Promise<void> {
    return this.#withLock(() => addMarks([codeMark(shortCode)]));
  }

  /** Deletes old groups, old sends of removed keys, and the private marks that version 0.1.0 stored on disk. */
  forgetOld(): Promise<void> {
    return this.#locked(async (database) => {
      await browser.storage.local.remove('privateMarks');
      await writeIn(database, ['groups', 'pastSends'], async (transaction) => {
        const { now } = this.#clock();
        await deleteOldGroups(transaction, now);
        const sends = transaction.objectStore('pastSends');
        const past = await readAllByKey(sends);
        writeChangedByKey(sends, past, new Map([...past].filter(([, removed]) => !isExpired(removed, now))));
      });
    });
  }

  /** Deletes the database, memory and settings. Private marks stay: they keep private links off the disk. */
  deleteEverything(): Promise<void> {
    return this.#withLock(async () => {
      // The open connection to the database closes itself, and the next access opens a new one.
      this.erasures += 1;
      await deleteDatabase();
      this.#cache.clear();
      await browser.storage.local.clear();
      const marks = await readMarks();
      await browser.storage.session.clear();
      await addMarks([...marks]);
      await broadcastChange({ queues: true, links: true });
    });
  }

  /** Corrects a queue after a clock change. Recovers it if this is its first use by this worker. */
  readonly #upToDate = (queue: Queue, time: Time): Queue => {
    const corrected = withClock(queue, time);
    return this.#recovered.has(queue.connection.id) ? corrected : recover(corrected, time);
  };

  /** Reads one queue or all. Queues that are out of date are written first, because their waits would restart at each read. */
  async #load(connectionId?: string): Promise<Queue[]> {
    const { queues, outdated } = await this.#locked(async (database, memory) => {
      const queues = await readIn(database, QUEUE_STORES, (transaction) =>
        loadQueues(transaction, memory, this.#cache, connectionId),
      );
      const time = this.#clock();
      const outdated = queues.filter((queue) => this.#upToDate(queue, time) !== queue);
      for (const queue of queues) if (!outdated.includes(queue)) this.#recovered.add(queue.connection.id);
      return { queues, outdated };
    });
    if (outdated.length === 0) return queues;
    for (const { connection } of outdated) await this.update(connection.id, (queue) => ({ queue, result: null }));
    return this.#load(connectionId);
  }

  /**
   * Runs one update: first the database, then private memory, then the broadcast to pages. A worker that dies in between
   * leaves a private request charged but unsent, never sent without a charge.
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

  /** Runs work alone. Private memory is not part of a transaction, so all access to it needs this lock. */
  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
