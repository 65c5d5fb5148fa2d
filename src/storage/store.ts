import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Clock } from '../queue/clock.ts';
import type { Link, Request, Snapshot, Time } from '../queue/types.ts';
import { announceChange } from './changes.ts';
import type { Database, Schema } from './database.ts';
import { type PrivateMemory, readPrivate, writePrivate } from './private-memory.ts';
import { readSnapshot } from './snapshot.ts';

/** What a rule made of a snapshot: the next one, links to add, and whatever its caller wants to know. */
export interface Step<T> {
  snapshot: Snapshot;
  links?: Link[];
  /** A new API key, or null to forget it. */
  apiKey?: string | null;
  value: T;
}

/** Decides on a snapshot, at the time its transaction runs. `made`: the request it is about has ended in a link. */
export type Rule<T> = (snapshot: Snapshot, time: Time, made: boolean) => Step<T>;

/** Opens the database, and calls back where it is closed by another. */
type Open = (closed: () => void) => Promise<Database>;

/** The background's door to the database: the only one that writes requests, links, queue and budget. */
export class Store {
  readonly #open: Open;
  readonly #clock: Clock;
  #opened: Promise<Database> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: Open, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /**
   * Reads a snapshot, lets `rule` decide, and stores what it made of it: all in one transaction, one after the other,
   * and returned once it is on disk. A rule that returns the snapshot it was given writes nothing.
   *
   * @param about the request that the rule asks `made` of
   */
  transact<T>(rule: Rule<T>, about?: string): Promise<T> {
    return this.#inTurn(() => this.#transact(rule, about));
  }

  /** Does other work on the database in its turn, so that neither it nor a transaction undoes what the other wrote. */
  exclusively<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => work(await this.#database()));
  }

  /** The API key of the connection. */
  async apiKey(): Promise<string | null> {
    return (await (await this.#database()).get('secrets', 'apiKey')) ?? null;
  }

  /** One connection, for as long as it lasts: one that was closed, or never opened, is not kept. */
  #database(): Promise<Database> {
    if (this.#opened) return this.#opened;
    const forget = () => {
      if (this.#opened === opened) this.#opened = null;
    };
    const opened = this.#open(forget);
    opened.catch(forget);
    this.#opened = opened;
    return opened;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #transact<T>(rule: Rule<T>, about?: string): Promise<T> {
    const memory = await readPrivate();
    const database = await this.#database();
    const transaction = database.transaction(['requests', 'links', 'state', 'secrets'], 'readwrite', {
      durability: 'strict',
    });
    const before = await readSnapshot(transaction, memory);
    const made = about !== undefined && (await isMade(transaction.objectStore('links'), memory, about));
    const time = this.#clock();
    const { snapshot: after, links = [], apiKey, value } = rule(before, time, made);
    if (after === before && links.length === 0 && apiKey === undefined) {
      await transaction.done;
      return value;
    }
    const state = transaction.objectStore('state');
    const writes: Promise<unknown>[] = writeRequests(transaction.objectStore('requests'), before, after);
    for (const link of links) if (!link.private) writes.push(transaction.objectStore('links').put(link));
    const { attempt } = after.queue;
    const onDisk = { ...after.queue, attempt: attempt?.private ? null : attempt, lastSeen: time.now };
    writes.push(state.put(onDisk, 'queue'));
    if (after.budget) writes.push(state.put(after.budget, `budget:${after.budget.connectionId}`));
    if (after.connection !== before.connection) {
      writes.push(after.connection ? state.put(after.connection, 'connection') : state.delete('connection'));
    }
    const secrets = transaction.objectStore('secrets');
    if (apiKey !== undefined) writes.push(apiKey === null ? secrets.delete('apiKey') : secrets.put(apiKey, 'apiKey'));
    await Promise.all([...writes, transaction.done]);
    // After the commit: a worker that dies in between leaves a private request unsent but charged for, never unpaid.
    await this.#keepPrivate(memory, after, links);
    await announceChange();
    return value;
  }

  async #keepPrivate(memory: PrivateMemory, after: Snapshot, links: Link[]): Promise<void> {
    const next: PrivateMemory = {
      requests: after.requests.filter((request) => request.private),
      attempt: after.queue.attempt?.private ? after.queue.attempt : null,
      links: [...memory.links, ...links.filter((link) => link.private)],
    };
    const isEmpty = ({ requests, links, attempt }: PrivateMemory) => !requests.length && !links.length && !attempt;
    if (!isEmpty(memory) || !isEmpty(next)) await writePrivate(next);
  }
}

type LinkStore = IDBPObjectStore<Schema, StoreNames<Schema>[], 'links', 'readwrite'>;

async function isMade(links: LinkStore, memory: PrivateMemory, id: string): Promise<boolean> {
  return memory.links.some((link) => link.id === id) || (await links.getKey(id)) !== undefined;
}

type RequestStore = IDBPObjectStore<Schema, StoreNames<Schema>[], 'requests', 'readwrite'>;

/** Writes what changed alone. Rules never alter a request in place, so a request that is the same object is the same. */
function writeRequests(store: RequestStore, before: Snapshot, after: Snapshot): Promise<unknown>[] {
  const unchanged = new Set(before.requests);
  const present = new Set(after.requests.map((request) => request.id));
  const onDisk = (request: Request) => !request.private;
  return [
    ...before.requests
      .filter((request) => onDisk(request) && !present.has(request.id))
      .map(({ id }) => store.delete(id)),
    ...after.requests
      .filter((request) => onDisk(request) && !unchanged.has(request))
      .map((request) => store.put(request)),
  ];
}
