import browser from '../browser/browser.ts';
import { type Clock, withClock } from '../queue/limits/clock-changes.ts';
import { isExpired, restoreSends } from '../queue/limits/removed-key-quota.ts';
import type { Connection, Group, Link, Queue, Time, VisibleQueues } from '../queue/types.ts';
import { deleteOldGroups, type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { broadcastChange } from './change-broadcast.ts';
import {
  type Database,
  deleteDatabase,
  type Open,
  type ReadTransaction,
  ReopeningDatabase,
  readIn,
  resultOf,
  type StoreName,
  writeIn,
} from './database.ts';
import { findLinks, type LinkLookup, type LinkQuery, withoutConnection } from './link-queries.ts';
import { visibleLinks, visibleQueues } from './load-page-data.ts';
import { cacheWritten, loadQueues, loadView, QUEUE_STORES, type QueueCache } from './load-queues.ts';
import { deleteUnlisted } from './merge-service-links.ts';
import {
  addMarks,
  assertFits,
  clearPrivate,
  codeMark,
  hasPrivate,
  type PrivateMemory,
  readMarks,
  readPrivate,
  writePrivate,
} from './private-memory.ts';
import {
  type Change,
  changeNotice,
  readAllByKey,
  updatePrivateMemory,
  writeChange,
  writeChangedByKey,
} from './save-queues.ts';

/** What a rule about queues reads and writes. */
const RULE_STORES: StoreName[] = [...QUEUE_STORES, 'links', 'groups'];

/**
 * The background's access to the database. Nobody else writes queues, links and keys, but for what a file brings: see
 * `add-imported.ts`.
 */
export class Store {
  readonly #database: ReopeningDatabase;
  readonly #clock: Clock;
  readonly #cache: QueueCache = new Map();
  #last: Promise<unknown> = Promise.resolve();
  /** How often everything was deleted: what was under way then is not to bring anything back. */
  erasures = 0;

  constructor(open: Open, clock: Clock) {
    this.#database = new ReopeningDatabase(open);
    this.#clock = clock;
  }

  /** Every queue, the default connection's first. */
  queues(): Promise<Queue[]> {
    return this.#queues();
  }

  /** The queue of a connection; null: there is no such connection. */
  async queue(connectionId: string): Promise<Queue | null> {
    return (await this.#queues(connectionId))[0] ?? null;
  }

  /** What a page shows of the queues; one in a private window sees the private requests besides. */
  view(isPrivate: boolean): Promise<VisibleQueues> {
    return this.#locked((database, memory) => visibleQueues(database, memory, isPrivate, this.#clock().now));
  }

  /** What a page shows of the links; one in a private window sees the private ones besides. */
  links(isPrivate: boolean, query: LinkQuery): Promise<Link[]> {
    return this.#locked((database, memory) => visibleLinks(database, memory, isPrivate, query));
  }

  /**
   * Reads a queue, lets `rule` decide, and stores what it made of it: all in one transaction, one after the other, and
   * returned once it is on disk. Null: there is no such connection.
   *
   * @param about the links that the rule is given as `known`
   */
  async transact<T>(connectionId: string, rule: Rule<T>, about: LinkLookup = {}): Promise<T | null> {
    const values = await this.#transact(RULE_STORES, connectionId, async (transaction, memory) => {
      const known = await findLinks(transaction, memory.links, about);
      return (queue, time) => rule(queue, time, known);
    });
    return values[0] ?? null;
  }

  /** Does the same with the connection's API key, read in the same transaction: queue and key are of one moment. */
  async transactWithKey<T>(
    connectionId: string,
    rule: RuleWithKey<T>,
    about: LinkLookup = {},
  ): Promise<{ value: T; apiKey: string } | null> {
    const values = await this.#transact([...RULE_STORES, 'secrets'], connectionId, async (transaction, memory) => {
      const known = await findLinks(transaction, memory.links, about);
      const apiKey = (await resultOf(transaction.objectStore('secrets').get(connectionId))) ?? '';
      return (queue, time) => {
        const decided = rule(queue, time, apiKey, known);
        return { ...decided, value: { value: decided.value, apiKey } };
      };
    });
    return values[0] ?? null;
  }

  /**
   * Lets `rule` decide on every queue by itself, the default connection's first, all of them in one transaction: where it
   * fails for one, nothing is changed in any. Returns what it answered for each.
   */
  transactEach<T>(rule: RuleOfOne<T>): Promise<T[]> {
    return this.#transact(RULE_STORES, undefined, async () => rule);
  }

  /** A connection and its API key, of one moment; null: there is no such connection. */
  readWithKey(connectionId: string): Promise<{ connection: Connection; apiKey: string } | null> {
    return this.#locked((database) =>
      readIn(database, ['connections', 'secrets'], async (transaction) => {
        const connection = await resultOf(transaction.objectStore('connections').get(connectionId));
        if (!connection) return null;
        return { connection, apiKey: (await resultOf(transaction.objectStore('secrets').get(connectionId))) ?? '' };
      }),
    );
  }

  /**
   * Does the same with all queues, for rules about connections. A connection that is gone from the result is forgotten,
   * with its key, queue, attempts and requests; links made here stay, as links of no connection. So do the links of a connection
   * that has another address now. Private requests end with their connection, unless the rule gives them to another one.
   */
  transactAll<T>(rule: RuleOfAll<T>): Promise<T> {
    return this.#locked(async (database, memory) => {
      const decided = await writeIn(database, [...RULE_STORES, 'secrets', 'pastSends'], async (transaction) => {
        const before = await loadView(transaction, memory);
        const secrets = transaction.objectStore('secrets');
        const sends = transaction.objectStore('pastSends');
        const apiKeys = await readAllByKey(secrets);
        const pastSends = await readAllByKey(sends);
        const time = this.#clock();
        const queues = before.queues.map((queue) => withClock(queue, time));
        const {
          all: decided,
          links: made = [],
          value,
        } = rule({ queues, unassigned: before.unassigned, apiKeys: new Map(apiKeys) }, time);
        const kept = { ...decided, unassigned: decided.unassigned.filter((request) => !request.private) };
        const { after: all, past } = restoreSends({ queues, apiKeys }, kept, pastSends, time.now);
        // What one service made is no link of another's.
        const addresses = new Map(all.queues.map(({ connection }) => [connection.id, connection.baseUrl]));
        const left = before.queues
          .filter(({ connection }) => addresses.get(connection.id) !== connection.baseUrl)
          .map(({ connection }) => connection.id);
        const { links, gone } = await withoutConnection(transaction, memory.links, left);
        const change: Change = {
          before,
          after: all,
          links: [...links, ...made],
          gone,
          groups: [],
          revision: crypto.randomUUID(),
        };
        await writeChange(transaction, change, time);
        // The key of a connection that is gone goes, whatever the rule says.
        writeChangedByKey(secrets, apiKeys, new Map([...all.apiKeys].filter(([id]) => addresses.has(id))));
        writeChangedByKey(sends, pastSends, past);
        return { value, change };
      });
      await this.#finish(memory, decided.change);
      return decided.value;
    });
  }

  /** Takes a link out of the history here; the short URL itself goes on working. */
  removeLink(id: string): Promise<void> {
    return this.#locked(async (database, memory) => {
      await writeIn(database, ['links'], (transaction) => transaction.objectStore('links').delete(id));
      const links = memory.links.filter((link) => link.id !== id);
      if (links.length < memory.links.length) await writePrivate({ ...memory, links });
      await broadcastChange({ queues: false, links: true });
    });
  }

  /** Takes every link out of the history here, those that private windows keep in memory too. */
  clearLinks(): Promise<void> {
    return this.#locked(async (database, memory) => {
      await writeIn(database, ['connections', 'links'], deleteUnlisted);
      if (memory.links.length > 0) await writePrivate({ ...memory, links: [] });
      await broadcastChange({ queues: false, links: true });
    });
  }

  /** No private window is open any more: forgets whatever belongs to them, what is in flight too. */
  forgetPrivate(): Promise<void> {
    return this.#withLock(async () => {
      if (await clearPrivate()) await broadcastChange({ queues: true, links: true });
    });
  }

  /** True if anything of private windows is in memory. */
  hasPrivate(): Promise<boolean> {
    return this.#withLock(hasPrivate);
  }

  /** Marks the code of a private link: see `private-marks.ts`. */
  markPrivate(shortCode: string): Promise<void> {
    return this.#withLock(() => addMarks([codeMark(shortCode)]));
  }

  /** The group with this id, and the links that its addresses have come to; null: there is no such group. */
  group(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
    return this.#locked((database, memory) => visibleGroup(database, memory, isPrivate, id));
  }

  /** Deletes old groups, whose links stay, old sends of keys that are gone, and the marks that previous versions stored on disk. */
  forgetOld(): Promise<void> {
    return this.#locked(async (database) => {
      await browser.storage.local.remove('privateMarks');
      await writeIn(database, ['groups', 'pastSends'], async (transaction) => {
        const { now } = this.#clock();
        await deleteOldGroups(transaction, now);
        const sends = transaction.objectStore('pastSends');
        const past = await readAllByKey(sends);
        writeChangedByKey(sends, past, new Map([...past].filter(([, put]) => !isExpired(put, now))));
      });
    });
  }

  /** Deletes everything: the database, what is in memory, and the settings. Marks stay: they keep private links off the disk. */
  deleteEverything(): Promise<void> {
    return this.#withLock(async () => {
      // A database that is open stands aside by itself, this one too: it is opened anew when it is needed.
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

  async #queues(connectionId?: string): Promise<Queue[]> {
    const queues = await this.#locked((database, memory) =>
      readIn(database, QUEUE_STORES, (transaction) => loadQueues(transaction, memory, this.#cache, connectionId)),
    );
    const time = this.#clock();
    if (queues.every((queue) => withClock(queue, time) === queue)) return queues;
    // Waits that a clock set back has moved are written at once: moved anew at each read, they would never end.
    return this.#transact(RULE_STORES, connectionId, async () => (queue) => ({ queue, value: queue }));
  }

  /** Decides on one queue, or on each; `prepare` reads what the rule needs besides. */
  #transact<T>(
    stores: StoreName[],
    connectionId: string | undefined,
    prepare: (transaction: ReadTransaction, memory: PrivateMemory) => Promise<RuleOfOne<T>>,
  ): Promise<T[]> {
    return this.#locked(async (database, memory) => {
      const { values, change } = await writeIn(database, stores, async (transaction) => {
        const queues = await loadQueues(transaction, memory, this.#cache, connectionId);
        const rule = await prepare(transaction, memory);
        const time = this.#clock();
        const decided = queues.map((queue) => rule(withClock(queue, time), time));
        const [before, after] = [viewOf(queues), viewOf(decided.map(({ queue }) => queue))];
        const links = decided.flatMap((one) => one.links ?? []);
        const groups = decided.flatMap(({ group }) => group ?? []);
        const change: Change = { before, after, links, groups, revision: crypto.randomUUID() };
        assertFits(memory, updatePrivateMemory(memory, change));
        await writeChange(transaction, change, time);
        return { values: decided.map(({ value }) => value), change };
      });
      await this.#finish(memory, change);
      return values;
    });
  }

  /**
   * Keeps the private part of a change that is on disk, and tells of it. A worker that dies in between leaves a private
   * request unsent but charged for, never sent without a charge.
   */
  async #finish(memory: PrivateMemory, change: Change): Promise<void> {
    cacheWritten(this.#cache, change);
    const next = updatePrivateMemory(memory, change);
    if (next !== memory) await writePrivate(next);
    await broadcastChange(changeNotice(change));
  }

  #locked<T>(work: (database: Database, memory: PrivateMemory) => Promise<T>): Promise<T> {
    return this.#withLock(async () => {
      const memory = await readPrivate();
      return work(await this.#database.get(), memory);
    });
  }

  /** Private memory is no part of a transaction, so whatever reads it to write it holds the lock. */
  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function viewOf(queues: Queue[]): VisibleQueues {
  return { queues, unassigned: [] };
}

/** What a rule made of a queue, the links and the group to add, and whatever its caller wants to know. */
export interface Decided<T> {
  queue: Queue;
  links?: Link[];
  group?: Group;
  value: T;
}

/** Decides on one queue, at the time its transaction runs. */
export type RuleOfOne<T> = (queue: Queue, time: Time) => Decided<T>;

/**
 * Decides on one queue, at the time its transaction runs. `known`: the links it asked about, on any connection, those of
 * private windows too. A rule that returns the queue it was given, and no links, changes nothing.
 */
export type Rule<T> = (queue: Queue, time: Time, known: Link[]) => Decided<T>;

/** The same, given the API key of the connection. */
export type RuleWithKey<T> = (queue: Queue, time: Time, apiKey: string, known: Link[]) => Decided<T>;

/** Everything about every connection, for the rules about connections themselves. */
export interface Everything extends VisibleQueues {
  /** Of each connection, by its id. */
  apiKeys: Map<string, string>;
}

/** Decides on all queues, at the time its transaction runs. A queue that is not in the result is forgotten. */
export type RuleOfAll<T> = (all: Everything, time: Time) => { all: Everything; links?: Link[]; value: T };
