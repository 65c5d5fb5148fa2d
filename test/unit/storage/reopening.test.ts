import { forceCloseDatabase } from 'fake-indexeddb';
import { deleteDB, openDB, unwrap } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DATABASE_NAME, DATABASE_VERSION, type Database, openDatabase } from '../../../src/storage/database.ts';
import { Store } from '../../../src/storage/store.ts';
import { aRequest, at, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { addRequests, connect, idsOf } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const deleteDatabase = () => deleteDB(DATABASE_NAME);

/** Closes the database as a browser does. */
const closeByBrowser = (database: Database) => forceCloseDatabase(unwrap(database) as never);

/** A transaction that never ends and whose requests never return a result. */
function aSilentTransaction() {
  const never = () => new Promise(() => {});
  const store = { get: never, getAll: never, delete: never, index: () => store };
  return { done: never(), objectStore: () => store, abort: () => {} };
}

function aStore() {
  const opened: Promise<Database>[] = [];
  const store = new Store(
    (closed) => {
      const database = openDatabase(closed);
      opened.push(database);
      return database;
    },
    () => at(),
  );
  const add = async (id: string) => {
    if (!(await store.queue('c'))) await connect(store, specOnly);
    await addRequests(store, [aRequest(id)]);
  };
  const ids = async () => idsOf((await store.queue('c'))?.requests ?? []);
  return { store, opened, add, ids };
}

test('all accesses wait together while another background owns the queues, and the next access tries again', async () => {
  const owned = Promise.withResolvers<void>();
  const own = vi.fn(() => Promise.resolve()).mockReturnValueOnce(owned.promise);
  const store = new Store(openDatabase, () => at(), own);
  const accesses = Promise.allSettled([
    store.queues(),
    store.queue('c'),
    store.updateAll((all) => ({ all, result: 1 })),
  ]);
  const inUse = new DOMException('Timed out.', 'TimeoutError');
  owned.reject(inUse);
  expect((await accesses).map((access) => 'reason' in access && access.reason)).toEqual([inUse, inUse, inUse]);
  expect(own).toHaveBeenCalledTimes(1);
  expect(await store.queues()).toEqual([]);
  await store.queues();
  expect(own).toHaveBeenCalledTimes(2);
});

describe('a store', () => {
  test('opens its database once', async () => {
    const { store, opened, add } = aStore();
    await add('a');
    await Promise.all([add('b'), add('c'), store.queues(), store.queue('c')]);
    expect(opened).toHaveLength(1);
  });

  test('reopens its database after a newer version closed it', async () => {
    const { store, add, ids } = aStore();
    await add('a');
    await deleteDatabase();
    await add('b');
    expect(await ids()).toEqual(['b']);
    await deleteDatabase();
    expect(await store.queues()).toEqual([]);
    await deleteDatabase();
    expect(await store.update('c', (queue) => ({ queue, result: null }))).toBeNull();
    await deleteDatabase();
    await store.removeLinks(['a']);
  });

  test('loads its queues again if its database was closed during a change and then deleted', async () => {
    let close = () => {};
    const open = async (closed: () => void) => {
      const database = await openDatabase();
      // The transaction that is open still ends, as when a newer version waits for this version to close.
      close = () => {
        database.close();
        closed();
      };
      return database;
    };
    const store = new Store(open, () => at());
    await connect(store, specOnly);
    await store.update('c', (queue) => {
      close();
      return { queue: { ...queue }, result: null };
    });
    await deleteDatabase();
    expect(await store.queues()).toEqual([]);
  });

  test('reopens its database after the browser closed it', async () => {
    const { opened, add, ids } = aStore();
    await add('a');
    const [database] = await Promise.all(opened);
    closeByBrowser(database as Database);
    await new Promise((resolve) => setTimeout(resolve));
    await add('b');
    expect(await ids()).toEqual(['a', 'b']);
  });

  // While Firefox clears site data, it closes the database, and new transactions fail.
  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['writes', (store) => store.removeLinks(['a'])],
    ['updates a queue', (store) => store.update('c', (queue) => ({ queue, result: null }))],
  ])('that %s while the browser closes the database fails, and then reopens the database', async (_what, work) => {
    const { store, opened, add, ids } = aStore();
    await add('a');
    const [database] = (await Promise.all(opened)) as [Database];
    const transaction = vi.fn(aSilentTransaction);
    Object.assign(database, { transaction });
    const lost = work(store);
    const next = add('b');
    await vi.waitFor(() => expect(transaction).toHaveBeenCalled());
    closeByBrowser(database);
    await expect(lost).rejects.toMatchObject({ name: 'AbortError' });
    await next;
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('tries again to open its database after an error', async () => {
    const newer = await openDB(DATABASE_NAME, DATABASE_VERSION + 1);
    const { opened, add, ids } = aStore();
    await expect(add('a')).rejects.toMatchObject({ name: 'VersionError' });
    newer.close();
    await deleteDatabase();
    await add('b');
    expect(await ids()).toEqual(['b']);
    expect(opened).toHaveLength(2);
  });
});
