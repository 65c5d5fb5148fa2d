import { beforeEach, expect, test, vi } from 'vitest';
import { adoptRequests, newQueue } from '../../../src/queue/add-replace-delete-connection.ts';
import type { Queue } from '../../../src/queue/types.ts';
import type { Store } from '../../../src/storage/store.ts';
import { anAttempt, aRequest, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { addRequests, change, connect, idsOf, other } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let second: Store;

beforeEach(async () => {
  freshDisk();
  ({ store } = await openStore());
  ({ store: second } = await openStore());
  await connect(store, specOnly);
  await addRequests(store, [aRequest('a'), aRequest('b')]);
});

/** Counts the index reads during `work`. Reading a queue reads the indexes of attempts and requests. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(IDBIndex.prototype, 'getAll');
  await work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

test('the requests of an unchanged queue are not read again', async () => {
  const work = async () => {
    await store.queues();
    await store.queue('c');
    await addRequests(store, [aRequest('c')]);
    await change(store, (queue) => ({ ...queue, requests: queue.requests.slice(1) }));
    expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['b', 'c']);
  };
  expect(await readsDuring(work)).toBe(0);
  expect(await readsDuring(() => second.queue('c'))).toBe(2);
});

test('a store sees the changes of another store', async () => {
  const requestsTo = (rule: (queue: Queue) => Partial<Queue>) => (by: Store) =>
    change(by, (queue) => ({ ...queue, ...rule(queue) }));
  const steps: ((by: Store) => Promise<unknown>)[] = [
    requestsTo(({ requests }) => ({ requests: [...requests, aRequest('c'), aRequest('p', { private: true })] })),
    requestsTo(({ requests }) => ({ requests: requests.slice(1) })),
    requestsTo(() => ({ attempts: [anAttempt(['b']), anAttempt(['p'], { private: true })] })),
    requestsTo(({ requests }) => ({ requests: requests.map((request) => ({ ...request, state: 'failed' })) })),
    requestsTo(() => ({ attempts: [] })),
    (by) => connect(by, other),
    (by) =>
      by.updateAll((all) => {
        const requests = all.queues.flatMap((queue) => queue.requests);
        return { all: { ...all, queues: [adoptRequests(newQueue(other), requests)] }, result: null };
      }),
    (by) => by.updateAll((all) => ({ all: { ...all, queues: [...all.queues, newQueue(specOnly)] }, result: null })),
    (by) => addRequests(by, [aRequest('d')]),
    (by) => by.forgetPrivate(),
  ];
  for (const [index, step] of steps.entries()) {
    const [by, reader] = index % 2 === 0 ? [store, second] : [second, store];
    await step(by);
    const { store: fresh } = await openStore();
    const onDisk = await fresh.queues();
    expect(await reader.queues()).toEqual(onDisk);
    expect(await by.queues()).toEqual(onDisk);
    expect(await by.queue('c')).toEqual(await fresh.queue('c'));
  }
});

test('a failed transaction does not change the cache', async () => {
  const { put } = IDBObjectStore.prototype;
  const aborting = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...record
  ) {
    queueMicrotask(() => this.transaction.abort());
    return put.apply(this, record);
  });
  await expect(addRequests(store, [aRequest('c')])).rejects.toThrow();
  aborting.mockRestore();
  expect(idsOf((await store.queue('c'))?.requests ?? [])).toEqual(['a', 'b']);
});
