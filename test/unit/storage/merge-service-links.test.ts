import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListedLink } from '../../../src/servers/adapter.ts';
import { mergeListedLinks, removeUnlisted, saveEditedLink } from '../../../src/storage/links.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import type { Store } from '../../../src/storage/store.ts';
import { fullService, NOW, takesCodes } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { addLinks, aLink, connect, idsOf, other } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const SERVICE = takesCodes();
let store: Store;

beforeEach(async () => {
  freshDisk();
  ({ store } = await openStore());
  await connect(store, SERVICE, other);
});

/** Returns a link as the service lists it. It equals a link from `aLink` with the same short code. */
function listed(shortCode: string, part: Partial<ListedLink> = {}): ListedLink {
  return {
    shortCode,
    shortUrl: `https://s.example/${shortCode}`,
    url: `https://x.example/${shortCode}`,
    title: null,
    createdAt: NOW,
    expiresAt: null,
    clicks: 0,
    ...part,
  };
}

const LATER = NOW + 1_000;
const keepAt = (now: number, ...links: ListedLink[]) =>
  store.writeLinks((transaction) => mergeListedLinks(transaction, SERVICE, links, now));
const keep = (...links: ListedLink[]) => keepAt(LATER, ...links);
const drop = (codes: string[], part: { startedAt?: number } = {}) =>
  store.writeLinks((transaction) =>
    removeUnlisted(transaction, SERVICE, { keys: new Set(codes), startedAt: NOW + 1, ...part }),
  );
const links = () => readLinks();
const link = async (id: string) => (await links()).find((one) => one.id === id);

describe('a link', () => {
  test('created elsewhere is stored as the service lists it', async () => {
    const expiresAt = NOW + 5;
    expect(await keep(listed('a', { title: 'Otter', clicks: 7, expiresAt, createdAt: 3 }))).toBe(true);
    expect(await links()).toEqual([
      aLink('c/a', {
        shortUrl: 'https://s.example/a',
        shortCode: 'a',
        url: 'https://x.example/a',
        title: 'Otter',
        createdAt: 3,
        expiresAt,
        clicks: 7,
        elsewhere: true,
      }),
    ]);
  });

  test('has the tags that its server lists, and keeps its own if the server lists none', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a' })]);
    // A link that an earlier version stored has unknown tags.
    expect(await keep(listed('a', { tags: [] }))).toBe(true);
    expect(await keep(listed('a', { tags: [] }))).toBe(false);
    expect(await keep(listed('a', { tags: ['birds', 'owls'] }))).toBe(true);
    expect(await keep(listed('a', { tags: ['birds', 'owls'] }))).toBe(false);
    expect(await keep(listed('a'))).toBe(false);
    expect(await link('made')).toMatchObject({ tags: ['birds', 'owls'] });
    expect(await keep(listed('a', { tags: ['owls'] }))).toBe(true);
    expect(await link('made')).toMatchObject({ tags: ['owls'] });
  });

  test('whose server stores no creation times keeps the time at which it was first listed', async () => {
    const timeless = listed('a', { createdAt: null });
    expect(await keepAt(NOW + 1, timeless)).toBe(true);
    expect(await keepAt(NOW + 9, timeless)).toBe(false);
    expect(await link('c/a')).toMatchObject({ createdAt: NOW + 1 });
  });

  test('with a future date gets the time at which it was first listed', async () => {
    const ahead = listed('a', { createdAt: NOW + 9e9 });
    await keepAt(NOW, ahead);
    expect(await keepAt(LATER, ahead)).toBe(false);
    expect(await link('c/a')).toMatchObject({ createdAt: NOW });
  });

  test('gets its date back when a slow clock is correct again', async () => {
    const [before, first] = [NOW - 9e9, listed('a', { createdAt: NOW - 5 })];
    await keepAt(before, first, listed('b'));
    expect(await link('c/a')).toMatchObject({ createdAt: before });
    await keep(first, listed('b'));
    expect([await link('c/a'), await link('c/b')]).toMatchObject([{ createdAt: NOW - 5 }, { createdAt: NOW }]);
    await keepAt(before, first);
    expect(await link('c/a')).toMatchObject({ createdAt: before });
  });

  test('created here while the clock was fast gets the date of its server', async () => {
    await addLinks(store, [
      aLink('ahead', { shortCode: 'a', shortUrl: 'https://s.example/a', createdAt: NOW + 9e9 }),
      aLink('punctual', { shortCode: 'b', shortUrl: 'https://s.example/b', createdAt: NOW - 3 }),
    ]);
    await keep(listed('a', { createdAt: NOW - 5 }), listed('b', { createdAt: NOW - 5 }));
    expect([await link('ahead'), await link('punctual')]).toMatchObject([
      { createdAt: NOW - 5 },
      { createdAt: NOW - 3 },
    ]);
  });

  test('created here is stored once, whether the list or the response comes first', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a', title: 'The page' })]);
    await keep(listed('a', { clicks: 7 }), listed('b'));
    await addLinks(store, [aLink('made-b', { shortCode: 'b', shortUrl: 'https://s.example/b' })]);
    expect(idsOf(await links()).sort()).toEqual(['made', 'made-b']);
    expect(await link('made')).toMatchObject({ clicks: 7, title: 'The page' });
    expect(await link('made')).not.toHaveProperty('elsewhere');
  });

  test('with the same code on another connection is another link', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://other.example/a', connectionId: 'd' })]);
    await keep(listed('a'));
    expect(idsOf(await links()).sort()).toEqual(['c/a', 'made']);
  });

  test('without a connection joins the connection that lists it', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a', connectionId: null })]);
    await keep(listed('a', { clicks: 2, url: 'https://x.example/made' }));
    expect(await links()).toMatchObject([{ id: 'made', connectionId: 'c', clicks: 2 }]);
  });

  test('that was imported is not changed by a service that lists another URL for it', async () => {
    const part = { shortUrl: 'https://other.example/a', connectionId: null };
    await addLinks(store, [aLink('made', part)]);
    await keep(listed('a', { shortUrl: part.shortUrl, url: 'https://evil.example/' }));
    expect(await link('made')).toMatchObject({ ...part, url: 'https://x.example/made' });
  });

  test('that was imported is stored once, whether the list, the import or the response comes first', async () => {
    const imported = { connectionId: null };
    await keep(listed('a', { url: 'https://x.example/page' }));
    const page = { url: 'https://x.example/page', shortCode: 'a', shortUrl: 'https://s.example/a' };
    await addLinks(store, [aLink('imported', { ...page, ...imported })]);
    await keep(listed('a', { url: page.url, clicks: 3 }));
    expect(idsOf(await links())).toEqual(['c/a']);
    await addLinks(store, [
      aLink('imported', { ...page, ...imported }),
      aLink('other', { ...page, ...imported, url: 'https://b.example/' }),
    ]);
    // The service returns an existing short URL for this long URL.
    await addLinks(store, [aLink('asked', page)]);
    expect(idsOf(await links()).sort()).toEqual(['asked', 'other']);
  });

  test('without a connection is not changed by another service', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a', connectionId: null })]);
    await keep(listed('a', { url: 'https://evil.example/' }));
    expect(await link('made')).toMatchObject({ connectionId: null, url: 'https://x.example/made' });
    expect(await link('c/a')).toMatchObject({ url: 'https://evil.example/' });
  });

  test('edited elsewhere is updated by the next sync', async () => {
    await addLinks(store, [aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a' })]);
    await keep(listed('a'), listed('b', { title: 'Otter' }));
    const edit = { url: 'https://new.example/', title: 'Badger', expiresAt: NOW + 9, clicks: 1 };
    expect(await keep(listed('a', edit), listed('b', { title: null }))).toBe(true);
    expect(await link('made')).toMatchObject(edit);
    expect(await link('c/b')).toMatchObject({ title: '' });
  });

  test('gets its restriction from the list, and loses it when the list no longer has it', async () => {
    await addLinks(store, [aLink('a', { connectionId: 'c' })]);
    expect(await keep(listed('a', { isRestricted: true }))).toBe(true);
    expect(await link('a')).toHaveProperty('isRestricted', true);
    await keep(listed('a'));
    expect(await link('a')).not.toHaveProperty('isRestricted');
  });

  test('that is unchanged is not written again', async () => {
    await keep(listed('a'));
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    expect(await keep(listed('a'))).toBe(false);
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
  });

  test('edited here is stored as the service returned it, unless it was deleted meanwhile', async () => {
    await keep(listed('a', { title: 'Otter' }));
    const before = await link('c/a');
    const edit = () =>
      store.writeLinks((transaction) =>
        saveEditedLink(transaction, SERVICE, 'c/a', listed('a', { title: null }), true),
      );
    await edit();
    expect(await link('c/a')).toEqual({ ...before, title: '' });
    await store.removeLinks(['c/a']);
    await edit();
    expect(await links()).toEqual([]);
  });
});

describe('a link that the service no longer lists', () => {
  beforeEach(async () => {
    await addLinks(store, [
      aLink('made', { shortCode: 'a', shortUrl: 'https://s.example/a' }),
      aLink('later', { createdAt: NOW + 5 }),
      aLink('others', { connectionId: 'd' }),
    ]);
    await keep(listed('a', { clicks: 7 }), listed('b'));
  });

  test('is deleted if it was created elsewhere, and marked if it was created here', async () => {
    expect(await drop([])).toBe(true);
    expect(idsOf(await links()).sort()).toEqual(['later', 'made', 'others']);
    expect(await link('made')).toMatchObject({ unlisted: true });
    expect(await link('made')).not.toHaveProperty('clicks');
  });

  test('stays unmarked if it was created here during the sync', async () => {
    await drop(['a', 'b']);
    expect(await link('later')).not.toHaveProperty('unlisted');
  });

  test('loses its mark when it is listed again', async () => {
    await drop([]);
    await keep(listed('a', { clicks: 8 }));
    expect(await link('made')).toMatchObject({ clicks: 8 });
    expect(await link('made')).not.toHaveProperty('unlisted');
  });
});

describe('a response that comes too late', () => {
  const away = { shortCode: 'a', shortUrl: 'https://s.example/a' };

  test('finds only the links that were created here, if the connection was deleted', async () => {
    await addLinks(store, [aLink('made', { ...away, clicks: 3 })]);
    await keep(listed('b'));
    await store.updateAll((all) => ({
      all: { ...all, queues: all.queues.filter(({ connection }) => connection.id !== 'c') },
      result: null,
    }));
    expect(await links()).toEqual([aLink('made', { ...away, connectionId: null })]);
  });

  test('finds no links of the previous address of a connection', async () => {
    await addLinks(store, [aLink('made', away)]);
    await keep(listed('b'));
    await store.updateAll((all) => ({
      all: {
        ...all,
        queues: all.queues.map((queue) => ({
          ...queue,
          connection: { ...queue.connection, baseUrl: `https://new-${queue.connection.id}.example` },
        })),
      },
      result: null,
    }));
    expect(await links()).toEqual([aLink('made', { ...away, connectionId: null })]);
  });
});

test('listed links are merged even if the connection has no known `links` feature', async () => {
  const merged = store.writeLinks((transaction) => mergeListedLinks(transaction, fullService(), [listed('a')], LATER));
  expect(await merged).toBe(true);
});
