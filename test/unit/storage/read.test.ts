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

/** The later the newer. */
const linkNumber = (number: number) => ({
  id: `link-${number}`,
  url: 'https://x.example/',
  title: '',
  shortUrl: 'https://s.example/a',
  createdAt: at().now + number,
  private: false,
});

/** Links 1 to `count`, stored in another order. */
async function makeLinks(count: number) {
  const links = Array.from({ length: count }, (_, index) => linkNumber(index + 1));
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
    expect((await readViewHere(true, { latest: 8 })).links).toHaveLength(8);
    expect((await readViewHere(false, { latest: 99 })).links).toHaveLength(9);
  });

  test('has, however old, the newest link of each URL that is asked for, and those of ids, once', async () => {
    await makeLinks(30);
    const url = 'https://old.example/';
    const old = (id: string, createdAt: number) => ({ ...linkNumber(0), id, url, createdAt });
    await store.transact((snapshot) => ({
      snapshot,
      links: [old('older', 1), old('old', 2), linkNumber(-1)],
      value: null,
    }));
    const wanted = { latest: 2, urls: [url, 'https://never.example/'], ids: ['link-3', 'link-30', 'old', 'none-here'] };
    expect(ids((await readViewHere(false, wanted)).links)).toEqual(['link-30', 'link-29', 'link-3', 'old']);
  });

  test('of a private window has the private links too, any other none of them', async () => {
    await makeLinks(30);
    const secret = { ...linkNumber(31), url: 'https://secret.example/', private: true };
    const later = Array.from({ length: 4 }, (_, index) => ({ ...linkNumber(32 + index), private: true }));
    await store.transact((snapshot) => ({ snapshot, links: [secret, ...later], value: null }));
    const wanted = { latest: 2, urls: [secret.url], ids: [secret.id] };
    expect(ids((await readViewHere(true, wanted)).links)).toEqual(['link-35', 'link-34', 'link-31']);
    expect(ids((await readViewHere(false, wanted)).links)).toEqual(['link-30', 'link-29']);
  });

  test('holds nothing of the API key', async () => {
    const apiKey = 'terse_a-key-that-nobody-may-read';
    await store.transact((snapshot) => ({ snapshot: { ...snapshot, connection: specOnly }, apiKey, value: null }));
    expect(JSON.stringify([await readViewHere(false), await readViewHere(true)])).not.toContain(apiKey);
  });
});
