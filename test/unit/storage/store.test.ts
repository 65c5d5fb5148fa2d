import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/storage/database.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, DAY, NOW, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import {
  addLinks,
  addRequests,
  aLink,
  change,
  connect,
  idsOf,
  other,
  watchTransactions,
  watchWrites,
} from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
  await connect(store, specOnly);
});

describe('a transaction', () => {
  test('does nothing for a missing connection', async () => {
    const rule = vi.fn();
    expect(await store.update('gone', rule)).toBeNull();
    expect(await store.update('gone', rule)).toBeNull();
    expect(await store.queue('gone')).toBeNull();
    expect(rule).not.toHaveBeenCalled();
  });

  test('runs after the previous one, so that no change is lost', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => addRequests(store, [aRequest(`r${n}`)])));
    expect((await store.queue('c'))?.requests).toHaveLength(40);
  });

  test('waits for the disk, and does not open the keys', async () => {
    const opened = watchTransactions();
    await addRequests(store, [aRequest('a')]);
    const stores = ['queues', 'requests', 'links', 'lists', 'secrets'];
    expect(opened()).toEqual([{ stores, mode: 'readwrite', durability: 'strict' }]);
  });
});

describe('requests', () => {
  test('are sorted oldest first, regardless of their ids', async () => {
    const made = { a: 3, z: 1, m: 2 };
    await addRequests(
      store,
      Object.entries(made).map(([id, createdAt]) => aRequest(id, { createdAt })),
    );
    expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['z', 'm', 'a']);
    expect(idsOf((await store.queues())[0]?.requests ?? [])).toEqual(['z', 'm', 'a']);
  });

  test('are only in the queue of their connection', async () => {
    await connect(store, other);
    await addRequests(store, [aRequest('a')]);
    await addRequests(store, [aRequest('b', { connectionId: 'd' })], 'd');
    expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['a']);
    const queues = (await store.queues()).map(({ connection, requests }) => [connection.id, ...idsOf(requests)]);
    expect(queues).toEqual([
      ['d', 'b'],
      ['c', 'a'],
    ]);
  });

  test('never replace a request in another queue', async () => {
    await connect(store, other);
    await addRequests(store, [aRequest('a', { state: 'sending' })]);
    const again = addRequests(store, [aRequest('a', { connectionId: 'd' })], 'd');
    await expect(again).rejects.toMatchObject({ name: 'ConstraintError' });
    expect((await store.queue('c'))?.requests).toMatchObject([{ id: 'a', state: 'sending' }]);
  });
});

describe('a transaction writes', () => {
  test('only the change', async () => {
    await connect(store, other);
    await addRequests(store, [aRequest('a'), aRequest('b'), aRequest('c')]);
    const written = watchWrites();
    await change(store, (queue) => ({
      ...queue,
      requests: queue.requests
        .filter(({ id }) => id !== 'c')
        .map((request) => (request.id === 'b' ? { ...request, state: 'failed' } : request)),
    }));
    expect(written()).toEqual(['delete requests c', 'put requests b']);
  });

  test('nothing if nothing changed', async () => {
    await addRequests(store, [aRequest('a')]);
    const written = watchWrites();
    await change(store, (queue) => queue);
    await store.update('c', (queue) => ({ queue, result: null }));
    await store.updateAll((all) => ({ all, result: null }));
    expect(written()).toEqual([]);
  });
});

describe('the links that a change may read', () => {
  const knownOf = (about: Parameters<Store['update']>[2]) =>
    store.update('c', (queue, { knownLinks: known }) => ({ queue, result: idsOf(known) }), about);

  beforeEach(async () => {
    await connect(store, other);
    await addLinks(store, [
      aLink('a', { url: 'https://x.example/' }),
      aLink('b', { url: 'https://x.example/', connectionId: 'd', createdAt: NOW + 1 }),
      aLink('p', { url: 'https://x.example/', createdAt: NOW + 2 }),
      aLink('z'),
    ]);
  });

  test('are those with the requested URLs, long or short, on any connection, newest first', async () => {
    expect(await knownOf({ urls: ['https://x.example/', 'https://s.example/z', 'https://never.example/'] })).toEqual([
      'p',
      'b',
      'a',
      'z',
    ]);
  });
});

describe('a clock that was set back', () => {
  const waiting = { until: NOW + 10_000, reason: 'busy' as const, named: true };
  let now = NOW;

  beforeEach(async () => {
    now = NOW;
    ({ store } = await openStore(() => now));
    await change(store, (queue) => ({ ...queue, state: { ...queue.state, wait: waiting } }));
  });

  test.each([
    ['all queues', async () => (await store.queues())[0]],
    ['a transaction on all queues', () => store.updateAll((all) => ({ all, result: all.queues[0] }))],
  ])('does not lengthen delays, however often it is read: %s', async (_by, read) => {
    now -= 3 * DAY;
    const until = now + 10_000;
    expect((await read())?.state.wait?.until).toBe(until);
    now += 4_000;
    expect((await read())?.state.wait?.until).toBe(until);
  });
});

test('the queues are loaded from the disk again after a failed change, because the change may have been written', async () => {
  await addRequests(store, [aRequest('a')]);
  const failing = change(store, () => {
    throw new Error('Failed.');
  });
  await expect(failing).rejects.toThrow('Failed.');
  await database.put('requests', aRequest('b'));
  expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['a', 'b']);
});
