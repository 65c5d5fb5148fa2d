import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Queue } from '../../../src/queue/types.ts';
import { newQueue } from '../../../src/queue/user-actions.ts';
import type { AllQueues, Database } from '../../../src/storage/database.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, specOnly } from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk, openStore } from '../support/disk.ts';
import { addLinks, addRequests, aLink, connect, other } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
});

const everything = () => store.updateAll((all) => ({ all, result: all }));
const rewrite = (rule: (all: AllQueues) => AllQueues) => store.updateAll((all) => ({ all: rule(all), result: null }));

test('connections are added with their keys, and the default one comes first', async () => {
  await connect(store, specOnly, other);
  const { queues, apiKeys } = await everything();
  expect(queues).toEqual([newQueue(other), newQueue(specOnly)]);
  expect(apiKeys).toEqual(
    new Map([
      ['c', 'key-c'],
      ['d', 'key-d'],
    ]),
  );
});

test('a connection without a key is not the default if another has one', async () => {
  await connect(store, specOnly, other);
  const keyless = (all: AllQueues): AllQueues => ({
    ...all,
    queues: all.queues.map((queue) =>
      queue.connection.id === other.id ? { ...queue, state: { ...queue.state, blocked: 'key_missing' } } : queue,
    ),
  });
  await rewrite(keyless);
  const ids = (queues: AllQueues['queues']) => queues.map(({ connection }) => connection.id);
  expect(ids((await everything()).queues)).toEqual([specOnly.id, other.id]);
  expect(ids(await store.queues())).toEqual([specOnly.id, other.id]);
});

describe('the API key', () => {
  const withKey = (queue: Queue, { apiKey }: { apiKey: string }) => ({
    queue,
    result: { baseUrl: queue.connection.baseUrl, apiKey },
  });
  const keyOf = (id: string) => store.update(id, (queue, { apiKey }) => ({ queue, result: apiKey }));

  test('belongs to its connection, and is read together with its queue', async () => {
    await connect(store, specOnly, other);
    expect(await store.update('d', withKey)).toEqual({
      baseUrl: other.baseUrl,
      apiKey: 'key-d',
    });
    expect(await keyOf('c')).toBe('key-c');
  });

  test('never belongs to another address of its connection', async () => {
    await connect(store, specOnly);
    const save = (n: number) =>
      rewrite((all) => ({
        ...all,
        queues: all.queues.map((queue) => ({
          ...queue,
          connection: { ...queue.connection, baseUrl: `https://${n}.example` },
        })),
        apiKeys: new Map([['c', `key of https://${n}.example`]]),
      }));
    const read = () => store.update('c', withKey);
    const { store: second } = await openStore();
    const readBySecond = () => second.update('c', withKey);
    await save(0);
    const pairs = await Promise.all(
      Array.from({ length: 20 }, (_, n) => [readBySecond(), save(n + 1), read()] as const).flat(),
    );
    const found = pairs.filter((pair) => pair !== null);
    expect(found).toHaveLength(40);
    for (const { baseUrl, apiKey } of found) expect(apiKey).toBe(`key of ${baseUrl}`);
  });

  test('is not part of the data for pages', async () => {
    await connect(store, specOnly);
    expect(JSON.stringify([await store.queues(), await store.queue('c')])).not.toContain('key-c');
  });
});

describe('a connection that is deleted', () => {
  beforeEach(async () => {
    await connect(store, specOnly, other);
    await addRequests(store, [aRequest('a')]);
    await addRequests(store, [aRequest('z', { connectionId: 'd' })], 'd');
    await addLinks(store, [aLink('l'), aLink('m', { connectionId: 'd' })]);
    await rewrite((all) => ({ ...all, queues: all.queues.filter(({ connection }) => connection.id !== 'c') }));
  });

  test('is deleted with its key, queue and requests; the other stays unchanged', async () => {
    const { queues, requests, secrets } = await everythingOnDisk(database);
    const keys = [queues, requests, secrets].map((records) => records?.map(([key]) => key));
    expect(keys).toEqual([['d'], ['z'], ['d']]);
  });

  test('leaves its links without a connection, and those of others unchanged', async () => {
    const links = Object.fromEntries((await readLinks()).map(({ id, connectionId }) => [id, connectionId]));
    expect(links).toEqual({ l: null, m: 'd' });
  });
});
