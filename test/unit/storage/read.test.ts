import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/storage/database.ts';
import { clearLinks, latestLinks, removeLink } from '../../../src/storage/links.ts';
import { readViewHere } from '../../../src/storage/read.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, at, specOnly } from '../queue/given.ts';
import { freshDisk, openStore } from '../support/disk.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
});

/** Links 1 to `count`, the later the newer, stored in another order. */
async function makeLinks(count: number) {
  const links = Array.from({ length: count }, (_, index) => ({
    id: `link-${index + 1}`,
    url: 'https://x.example/',
    title: '',
    shortUrl: 'https://s.example/a',
    createdAt: at().now + index,
    private: false,
  }));
  await store.transact((snapshot) => ({ snapshot, links: links.toReversed(), value: null }));
}

const ids = (links: { id: string }[]) => links.map(({ id }) => id);

describe('links', () => {
  test('are read newest first, as many as are asked for, or all', async () => {
    await makeLinks(7);
    expect(ids(await latestLinks(database, 3))).toEqual(['link-7', 'link-6', 'link-5']);
    expect(ids(await latestLinks(database, 99))).toHaveLength(7);
    expect(ids(await latestLinks(database)).at(-1)).toBe('link-1');
  });

  test('are removed one by one or all at once, and pages are told', async () => {
    await makeLinks(3);
    await removeLink(database, 'link-2');
    expect(ids(await latestLinks(database))).toEqual(['link-3', 'link-1']);
    await clearLinks(database);
    expect(await latestLinks(database)).toEqual([]);
  });
});

describe('a view', () => {
  test('is the queue and the five latest links, unless a page asks for more', async () => {
    await makeLinks(9);
    await store.transact((snapshot) => ({
      snapshot: { ...snapshot, connection: specOnly, requests: [aRequest('a')] },
      value: null,
    }));
    const view = await readViewHere(false);
    expect(view).toMatchObject({ connection: specOnly, budget: { connectionId: 'c' }, requests: [{ id: 'a' }] });
    expect(ids(view.links)).toEqual(['link-9', 'link-8', 'link-7', 'link-6', 'link-5']);
    expect((await readViewHere(true, 8)).links).toHaveLength(8);
    expect((await readViewHere(false, 99)).links).toHaveLength(9);
  });

  test('holds nothing of the API key', async () => {
    const apiKey = 'terse_a-key-that-nobody-may-read';
    await store.transact((snapshot) => ({ snapshot: { ...snapshot, connection: specOnly }, apiKey, value: null }));
    expect(JSON.stringify([await readViewHere(false), await readViewHere(true)])).not.toContain(apiKey);
  });
});
