import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginAttempt } from '../../../src/queue/send.ts';
import { settle } from '../../../src/queue/settle.ts';
import type { Link, Snapshot } from '../../../src/queue/types.ts';
import { watchView } from '../../../src/storage/changes.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { Store } from '../../../src/storage/store.ts';
import { answered, aRequest, at, created, specOnly } from '../queue/given.ts';
import { everythingOnDisk, freshDisk, openStore } from '../support/disk.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
});

const change = (rule: (snapshot: Snapshot) => Snapshot) =>
  store.transact((snapshot) => ({ snapshot: rule(snapshot), value: null }));
const read = () => store.transact((snapshot) => ({ snapshot, value: snapshot }));
const add = (...ids: string[]) =>
  change((snapshot) => ({ ...snapshot, requests: [...snapshot.requests, ...ids.map((id) => aRequest(id))] }));
const aLink = (id: string, part: Partial<Link> = {}): Link => ({
  id,
  url: 'https://x.example/',
  title: '',
  shortUrl: 'https://s.example/a',
  createdAt: at().now,
  private: false,
  ...part,
});

/** Watches what the store writes and deletes; afterwards tells it, by object store and id. */
function watchWrites() {
  const nameOf = (context: unknown) => (context as IDBObjectStore).name;
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  const remove = vi.spyOn(IDBObjectStore.prototype, 'delete');
  return () => {
    const puts = put.mock.calls.map(([record, key], n) => `put ${nameOf(put.mock.contexts[n])} ${record.id ?? key}`);
    const removals = remove.mock.calls.map(([key], n) => `delete ${nameOf(remove.mock.contexts[n])} ${key}`);
    put.mockRestore();
    remove.mockRestore();
    return [...puts, ...removals].toSorted();
  };
}

describe('a transaction', () => {
  test('begins with an empty queue, no connection and no budget', async () => {
    expect(await read()).toMatchObject({ connection: null, budget: null, requests: [], queue: { attempt: null } });
  });

  test('stores what the rule made, for the next one and for a store opened later', async () => {
    await add('a');
    await change((snapshot) => ({ ...snapshot, connection: specOnly }));
    const { store: other } = await openStore();
    const after = await other.transact((snapshot) => ({ snapshot, value: snapshot }));
    expect(after).toMatchObject({ connection: specOnly, budget: { connectionId: 'c' }, requests: [{ id: 'a' }] });
  });

  test('comes one after the other, so that none loses what another wrote', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => add(`r${n}`)));
    expect((await read()).requests).toHaveLength(40);
  });

  test('gives the oldest first, whatever their ids', async () => {
    await change((snapshot) => ({
      ...snapshot,
      requests: [aRequest('a', { createdAt: 3 }), aRequest('z', { createdAt: 1 }), aRequest('m', { createdAt: 2 })],
    }));
    expect((await read()).requests.map(({ id }) => id)).toEqual(['z', 'm', 'a']);
  });

  test('that fails in its rule leaves everything as it was, and does not stop the next', async () => {
    await add('a');
    const broken = store.transact(() => {
      throw new Error('a rule failed');
    });
    await expect(broken).rejects.toThrow('a rule failed');
    expect((await read()).requests.map(({ id }) => id)).toEqual(['a']);
  });

  test('that fails on disk stores nothing at all: link and end of the request are one', async () => {
    await add('a');
    const { put } = IDBObjectStore.prototype;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...record
    ) {
      queueMicrotask(() => this.name === 'links' && this.transaction.abort());
      return put.apply(this, record);
    });
    const ended = store.transact((snapshot) => ({
      snapshot: { ...snapshot, requests: [] },
      links: [aLink('a')],
      value: null,
    }));
    await expect(ended).rejects.toThrow();
    full.mockRestore();
    const disk = await everythingOnDisk(database);
    expect(disk.requests).toHaveLength(1);
    expect(disk.links).toEqual([]);
  });

  test('asks for the durability that waits for the disk', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await add('a');
    expect(transaction.mock.lastCall?.[2]).toEqual({ durability: 'strict' });
    transaction.mockRestore();
  });

  test('notes when it was, by which a clock set back is noticed', async () => {
    await add('a');
    expect((await read()).queue.lastSeen).toBe(at().now);
  });
});

describe('what is written', () => {
  test('is what changed alone', async () => {
    await add('a', 'b', 'c');
    const written = watchWrites();
    await change((snapshot) => ({
      ...snapshot,
      requests: snapshot.requests
        .filter(({ id }) => id !== 'c')
        .map((request) => (request.id === 'b' ? { ...request, state: 'failed' } : request)),
    }));
    expect(written()).toEqual(['delete requests c', 'put requests b', 'put state queue']);
  });

  test('is nothing where a rule gives back what it got, and no page is told', async () => {
    const changed = vi.fn();
    const stop = watchView(changed);
    const written = watchWrites();
    await read();
    expect(written()).toEqual([]);
    expect(changed).not.toHaveBeenCalled();
    await add('a');
    expect(changed).toHaveBeenCalledTimes(1);
    stop();
    await add('b');
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

describe('whether a request has been made', () => {
  const made = (id: string) => store.transact((snapshot, _time, isMade) => ({ snapshot, value: isMade }), id);

  test('is told by its link, kept or private', async () => {
    await store.transact((snapshot) => ({
      snapshot,
      links: [aLink('a'), aLink('p', { private: true })],
      value: null,
    }));
    expect(await Promise.all(['a', 'p', 'other'].map(made))).toEqual([true, true, false]);
  });

  test('is asked of no request where none is named', async () => {
    expect(await store.transact((snapshot, _time, isMade) => ({ snapshot, value: isMade }))).toBe(false);
  });
});

test('a life of a request leaves its link, the charge and nothing else of it', async () => {
  await change((snapshot) => ({ ...snapshot, connection: specOnly }));
  await add('a');
  await change((snapshot) => beginAttempt(snapshot, ['a'], at()));
  expect((await everythingOnDisk(database)).requests).toMatchObject([['a', { state: 'sending' }]]);
  await store.transact((snapshot) => ({ ...settle(snapshot, answered([created()]), at(), 0), value: null }));
  const disk = await everythingOnDisk(database);
  expect(disk.requests).toEqual([]);
  expect(disk.links).toMatchObject([['a', { shortUrl: 'https://s.example/a' }]]);
  expect((await read()).budget?.sends).toHaveLength(1);
});

describe('budgets', () => {
  const connect = (id: string | null) =>
    change((snapshot) => ({ ...snapshot, connection: id ? { ...specOnly, id } : null, budget: null }));
  const used = async () => (await read()).budget?.sends.length;

  test('are kept a connection each, through changes to another and back', async () => {
    await connect('one');
    await add('a', 'b');
    await change((snapshot) => beginAttempt(snapshot, ['a'], at()));
    await connect('two');
    expect(await used()).toBe(0);
    await change((snapshot) => beginAttempt(snapshot, ['b'], at()));
    await connect(null);
    expect(await used()).toBeUndefined();
    await connect('one');
    expect(await used()).toBe(1);
  });
});

describe('the API key', () => {
  test('is kept, replaced and forgotten, and no other change touches it', async () => {
    const keep = (apiKey: string | null) => store.transact((snapshot) => ({ snapshot, apiKey, value: null }));
    expect(await store.apiKey()).toBeNull();
    await keep('the-key');
    await add('a');
    expect(await store.apiKey()).toBe('the-key');
    await keep('another');
    expect(await store.apiKey()).toBe('another');
    await keep(null);
    expect(await store.apiKey()).toBeNull();
    expect((await everythingOnDisk(database)).secrets).toEqual([]);
  });
});

test('other work waits its turn, and keeps transactions waiting', async () => {
  const order: string[] = [];
  const first = store.exclusively(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push('work');
  });
  const second = store.transact((snapshot) => {
    order.push('transaction');
    return { snapshot, value: null };
  });
  await Promise.all([first, second]);
  expect(order).toEqual(['work', 'transaction']);
});
