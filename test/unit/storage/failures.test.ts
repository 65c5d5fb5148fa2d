import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Queue } from '../../../src/queue/types.ts';
import type { AllQueues, Database } from '../../../src/storage/database.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, specOnly } from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { addLinks, addRequests, aLink, change, connect, idsOf, other } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
  await connect(store, specOnly, other);
  await addRequests(store, [aRequest('a'), aRequest('b')]);
  await addLinks(store, [aLink('old')]);
});

/** Completes one request and starts an attempt for another, so that the store writes every kind of record. */
const eventful = (queue: Queue) => ({
  queue: {
    ...queue,
    connection: { ...queue.connection, lastSeenWellAt: 1 },
    requests: [aRequest('b', { state: 'sending' }), aRequest('new')],
  },
  links: [aLink('a')],
  result: null,
});

const forgetful = (all: AllQueues) => {
  const queues = all.queues
    .filter(({ connection }) => connection.id === 'd')
    .map((queue) => ({ ...queue, requests: [aRequest('z')] }));
  return { all: { ...all, queues, apiKeys: new Map([['d', 'new']]) }, result: null };
};

/** Makes database write number `at` fail, or aborts its transaction. Returns a function that undoes the fault. */
function failAt(at: number, how: 'throws' | 'aborts'): () => void {
  let count = 0;
  const spies = (['put', 'add', 'delete'] as const).map((method) => {
    const original = IDBObjectStore.prototype[method];
    return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...args: unknown[]
    ) {
      count += 1;
      if (count === at && how === 'throws') throw new DOMException('The disk is full.', 'QuotaExceededError');
      if (count === at) queueMicrotask(() => this.transaction.abort());
      return Reflect.apply(original, this, args);
    });
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

const whole = async () => JSON.stringify(await everythingOnDisk(database));

describe('a transaction that fails', () => {
  test('in its change rolls back, and does not stop the next', async () => {
    const before = await whole();
    const broken = store.update('c', () => {
      throw new Error('a rule failed');
    });
    await expect(broken).rejects.toThrow('a rule failed');
    expect(await whole()).toBe(before);
    await addRequests(store, [aRequest('c')]);
    expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['a', 'b', 'c']);
  });

  test('because a value cannot be stored rolls back', async () => {
    const before = await whole();
    const broken = store.update('c', (queue) => ({
      ...eventful(queue),
      links: [aLink('x'), aLink('y', { title: (() => '') as unknown as string })],
    }));
    await expect(broken).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await whole()).toBe(before);
  });

  test.each(
    (['throws', 'aborts'] as const).flatMap((how) => [
      [how, 'a queue', () => store.update('c', eventful)] as const,
      [how, 'all queues', () => store.updateAll(forgetful)] as const,
    ]),
  )('at any of its writes (the write %s) changes nothing: %s', async (how, _about, transact) => {
    const before = await whole();
    let failures = 0;
    for (; ; failures += 1) {
      const restore = failAt(failures + 1, how);
      const failed = await transact().then(
        () => false,
        () => true,
      );
      restore();
      if (!failed) break;
      expect(await whole()).toBe(before);
    }
    expect(failures).toBeGreaterThan(5);
    expect(await whole()).not.toBe(before);
  });

  test('is not broadcast', async () => {
    const revisions = browser.storage.session.dump();
    await store
      .update('c', () => {
        throw new Error('a rule failed');
      })
      .catch(() => undefined);
    expect(browser.storage.session.dump()).toBe(revisions);
  });
});

test('a change is stored even if its broadcast fails', async () => {
  const set = vi.spyOn(browser.storage.session, 'set').mockRejectedValue(new Error('No room'));
  expect(await change(store, (queue) => ({ ...queue, requests: [] }))).toBe(true);
  set.mockRestore();
  expect((await store.queue('c'))?.requests).toEqual([]);
});
