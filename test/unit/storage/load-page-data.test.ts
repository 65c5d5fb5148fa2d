import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readLinks, readStoredQueues } from '../../../src/storage/load-page-data.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, NOW, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { addLinks, addRequests, aLink, connect, idsOf, linkNumber, other, watchTransactions } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;

beforeEach(async () => {
  freshDisk();
  ({ store } = await openStore());
  await connect(store, specOnly, other);
});

/** Stores the links 1 to `count` in random order. Higher numbers are newer. */
const makeLinks = (count: number) =>
  addLinks(store, Array.from({ length: count }, (_, index) => linkNumber(index + 1)).toReversed());

describe('links', () => {
  const newest = async (latest?: number) => idsOf(await readLinks(latest === undefined ? {} : { latest }));

  test('are read newest first, all or a limited number', async () => {
    await makeLinks(7);
    expect(await newest(3)).toEqual(['link-7', 'link-6', 'link-5']);
    expect(await newest(0)).toEqual([]);
    expect(await newest(99)).toHaveLength(7);
    expect((await newest()).at(-1)).toBe('link-1');
  });

  test('are read in the same number of steps, regardless of their number', async () => {
    const steps = async (latest?: number) => {
      const calls = (['getAll', 'openKeyCursor'] as const).map((method) => vi.spyOn(IDBIndex.prototype, method));
      await newest(latest);
      return calls.map((spy) => {
        const { length } = spy.mock.calls;
        spy.mockRestore();
        return length;
      });
    };
    await makeLinks(1);
    const one = [await steps(), await steps(60)];
    await makeLinks(300);
    expect([await steps(), await steps(60)]).toEqual(one);
  });

  test('that are created together keep the order of their requests', async () => {
    const together = ['c', 'a', 'b'].map((id, index) => aLink(id, { createdAt: NOW + index / 1000 }));
    await addLinks(store, together);
    expect(await newest()).toEqual(['b', 'a', 'c']);
  });

  test('are deleted, one or several at once', async () => {
    await makeLinks(3);
    await store.removeLinks(['link-2']);
    expect(await newest()).toEqual(['link-3', 'link-1']);
    await store.removeLinks(['link-1', 'link-3']);
    expect(await newest()).toEqual([]);
  });
});

describe('a query', () => {
  test('for a thousand URLs returns the same links, however many others there are', async () => {
    const urls = Array.from({ length: 1_000 }, (_, index) => `https://list.example/${index}`).toSorted();
    const known = [0, 31, 32, 500, 999].map((at) => aLink(`known-${at}`, { url: urls[at] as string }));
    await addLinks(store, [...known, aLink('unasked', {})]);
    const query = { latest: 0, urls: [...urls, 'https://s.example/link-5'], ids: ['link-3', 'none-here'] };
    const read = async () => {
      const lookUps = vi.spyOn(IDBIndex.prototype, 'getAll');
      const ids = idsOf(await readLinks(query));
      const steps = lookUps.mock.calls.length;
      lookUps.mockRestore();
      return { ids: ids.toSorted(), steps };
    };
    await makeLinks(10);
    const { ids, steps } = await read();
    expect(ids).toEqual([...idsOf(known), 'link-3', 'link-5'].toSorted());
    expect(steps).toBeLessThan(100);
    const between = (count: number) =>
      Array.from({ length: count }, (_, n) => aLink(`between-${n}`, { url: `${urls[500]}-${n}` }));
    await addLinks(store, between(50));
    expect(await read()).toEqual({ ids, steps });
    await addLinks(store, between(200));
    const crowded = await read();
    expect(crowded.ids).toEqual(ids);
    expect(crowded.steps).toBeGreaterThan(steps);
  });

  test('returns the link of a connection even if a newer imported link has the same URL', async () => {
    const url = 'https://bank.example/';
    await addLinks(store, [
      aLink('forged', { url, connectionId: null, createdAt: 2 }),
      aLink('made', { url, createdAt: 1 }),
    ]);
    expect(idsOf(await readLinks({ latest: 0, urls: [url] }))).toEqual(['forged', 'made']);
  });
});

test('queues are read completely, the default connection’s first', async () => {
  await addRequests(store, [aRequest('a')]);
  const { queues } = await readStoredQueues();
  expect(queues).toMatchObject([
    { connection: other, requests: [] },
    { connection: specOnly, requests: [{ id: 'a' }], limits: { sends: [] } },
  ]);
});

test('reading on a page opens neither the API keys nor a write transaction', async () => {
  await makeLinks(3);
  await addRequests(store, [aRequest('a')]);
  const opened = watchTransactions();
  await readStoredQueues();
  await readLinks({ urls: ['https://x.example/'], ids: ['link-1'] });
  const transactions = opened();
  expect(transactions).toHaveLength(2);
  for (const { stores, mode } of transactions) {
    expect(mode).toBe('readonly');
    expect(stores).not.toContain('secrets');
  }
});

test('the data for pages contains no API key', async () => {
  await makeLinks(1);
  await addRequests(store, [aRequest('a')]);
  const read = [await readStoredQueues(), await readStoredQueues(), await readLinks()];
  for (const key of ['key-c', 'key-d']) expect(JSON.stringify(read)).not.toContain(key);
});

describe('the database', () => {
  const watch = () => {
    const [opened, closed] = [vi.spyOn(IDBFactory.prototype, 'open'), vi.spyOn(IDBDatabase.prototype, 'close')];
    onTestFinished(() => {
      for (const spy of [opened, closed]) spy.mockRestore();
    });
    return () => ({ opened: opened.mock.calls.length, closed: closed.mock.calls.length });
  };

  test('is closed after a page has read from it', async () => {
    const calls = watch();
    await readStoredQueues();
    await readLinks();
    await vi.waitFor(() => expect(calls()).toEqual({ opened: 2, closed: 2 }));
  });

  test('that cannot be opened fails each read, and is opened again for the next', async () => {
    const refused = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new Error('refused');
    });
    const both = await Promise.allSettled([readLinks(), readStoredQueues()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    refused.mockRestore();
    expect((await readStoredQueues()).queues).toHaveLength(2);
  });
});
