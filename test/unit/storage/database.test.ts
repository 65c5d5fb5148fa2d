import { openDB } from 'idb';
import { beforeEach, expect, test, vi } from 'vitest';
import { DATABASE_NAME, DATABASE_VERSION, openDatabase } from '../../../src/storage/database.ts';
import { byPromises, freshDisk, openStore } from '../support/disk.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

test('an installation creates all object stores and indexes', async () => {
  const database = byPromises(await openDatabase());
  const names = [...database.objectStoreNames];
  expect(names).toEqual(['links', 'lists', 'queues', 'requests', 'secrets']);
  const indexes = names.map((name) => [name, ...database.transaction(name).store.indexNames]);
  expect(indexes.filter(({ length }) => length > 1)).toEqual([
    ['links', 'code', 'connectionId', 'createdAt', 'shortUrl', 'url'],
    ['lists', 'createdAt'],
    ['requests', 'listId'],
  ]);
});

test('a database of a newer version is refused and stays unchanged', async () => {
  const newer = await openDB(DATABASE_NAME, DATABASE_VERSION + 1, {
    upgrade: (db) => void db.createObjectStore('future'),
  });
  await newer.put('future', 'kept', 'key');
  newer.close();
  await expect(openDatabase()).rejects.toMatchObject({ name: 'VersionError' });
  const again = await openDB(DATABASE_NAME, DATABASE_VERSION + 1);
  expect(await again.get('future', 'key')).toBe('kept');
});

test('an open database closes for a newer version', async () => {
  await openStore();
  const newer = await openDB(DATABASE_NAME, DATABASE_VERSION + 1);
  expect(newer.version).toBe(DATABASE_VERSION + 1);
});
