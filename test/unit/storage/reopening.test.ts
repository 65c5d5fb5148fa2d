import { forceCloseDatabase } from 'fake-indexeddb';
import { openDB, unwrap } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DATABASE_VERSION, type Database, openDatabase } from '../../../src/storage/database.ts';
import { Store } from '../../../src/storage/store.ts';
import { Life } from '../background/life.ts';
import { aRequest, at } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const deleteDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase('terse');
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/** A store that notes every connection it opens. */
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
  const add = (id: string) =>
    store.transact((snapshot) => ({
      snapshot: { ...snapshot, requests: [...snapshot.requests, aRequest(id)] },
      value: null,
    }));
  const ids = () => store.transact((snapshot) => ({ snapshot, value: snapshot.requests.map(({ id }) => id) }));
  return { store, opened, add, ids };
}

describe('a store', () => {
  test('opens its database once, for as long as nothing closes it', async () => {
    const { store, opened, add } = aStore();
    await Promise.all([add('a'), add('b'), store.apiKey()]);
    await add('c');
    expect(opened).toHaveLength(1);
  });

  test('opens it anew after it stood aside', async () => {
    const { store, add, ids } = aStore();
    await add('a');
    await deleteDatabase();
    await add('b');
    expect(await ids()).toEqual(['b']);
    await deleteDatabase();
    expect(await store.apiKey()).toBeNull();
    await deleteDatabase();
    expect(await store.exclusively((database) => database.count('requests'))).toBe(0);
  });

  test('opens it anew after the browser closed it', async () => {
    const { opened, add, ids } = aStore();
    await add('a');
    const [database] = await Promise.all(opened);
    // Declared to take the class of databases; it takes one of them.
    if (database) forceCloseDatabase(unwrap(database) as never);
    await new Promise((resolve) => setTimeout(resolve));
    await add('b');
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('tries to open it again after it could not', async () => {
    const newer = await openDB('terse', DATABASE_VERSION + 1);
    const { opened, add, ids } = aStore();
    await expect(add('a')).rejects.toMatchObject({ name: 'VersionError' });
    newer.close();
    await deleteDatabase();
    await add('b');
    expect(await ids()).toEqual(['b']);
    expect(opened).toHaveLength(2);
  });
});

test('a background that could not take over at first does so at the next wish', async () => {
  const newer = await openDB('terse', DATABASE_VERSION + 1);
  const life = new Life();
  await expect(life.accept('request-a')).rejects.toMatchObject({ name: 'VersionError' });
  newer.close();
  await deleteDatabase();
  await life.connect({ id: 'c', baseUrl: 'https://a.example', lastFour: '', service: null });
  await life.accept('request-a');
  expect(await life.requests()).toMatchObject([{ id: 'request-a' }]);
});
