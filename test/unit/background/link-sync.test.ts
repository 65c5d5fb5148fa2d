import { beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleLink } from '../../../contract/test/example-link.ts';
import { LinkSync, MAX_LINKS } from '../../../src/background/link-sync.ts';
import type { Connection, Queue } from '../../../src/queue/types.ts';
import { onLinksChanged, onSyncProgress } from '../../../src/storage/database.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, FULL, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const START = Date.parse('2026-04-01T00:00:00.000Z');

interface Answer {
  status: number;
  body: unknown;
}

const page = (links: unknown[], nextCursor: unknown = null): Answer => ({ status: 200, body: { links, nextCursor } });
const status = (code: number): Answer => ({ status: code, body: { error: 'No.', code: 'x' } });

let worker: TestWorker;

beforeEach(async () => {
  freshDisk();
  worker = await connected('full');
  // A link that no list contains, so that every complete sync deletes it.
  await addLinks(worker.store, [aLink('c/old', { shortCode: 'old', elsewhere: true, createdAt: START + 1 })]);
});

/** Syncs with a server that returns the given answers. A null answer simulates an unreachable server. */
async function sync(answer: (path: string, count: number) => Answer | null | Promise<Answer>) {
  const asked: string[] = [];
  const counts: number[] = [];
  const fetch = async (url: string) => {
    asked.push(url.slice('https://a.example/api/v1/'.length));
    const given = await answer(url, asked.length);
    if (!given) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(given.body), { status: given.status });
  };
  const linkSync = new LinkSync({ store: worker.store, fetch, permitted: async () => true });
  const stop = onSyncProgress((_id, count) => counts.push(count));
  const result = await linkSync.sync('c');
  stop();
  const stored = await readLinks();
  const isOldKept = stored.some(({ shortCode }) => shortCode === 'old');
  const codes = stored.map(({ shortCode }) => shortCode).filter((code) => code !== 'old');
  return { result, asked, codes: codes.toSorted(), stored, counts, isOldKept };
}

test('a list is read page by page, and links that it does not contain are deleted', async () => {
  const { result, asked, codes, counts, isOldKept } = await sync((_path, count) =>
    count === 1 ? page([exampleLink('a'), exampleLink('b')], 'next/1') : page([exampleLink('c')]),
  );
  expect(result).toMatchObject({ unreadable: 0, isCut: false });
  expect(asked).toEqual(['urls?limit=100', 'urls?limit=100&cursor=next%2F1']);
  expect(codes).toEqual(['a', 'b', 'c']);
  expect(counts).toEqual([2, 3]);
  expect(isOldKept).toBe(false);
});

test('open pages show the newest links at once, and the other changes at the end', async () => {
  const shown: number[] = [];
  let pages = 0;
  const stop = onLinksChanged(() => shown.push(pages));
  const syncPages = (...lists: string[][]) =>
    sync((_path, count) => {
      pages = count;
      const links = lists[count - 1]?.map((code) => exampleLink(code)) ?? [];
      return page(links, count < lists.length ? `${count}` : null);
    });
  // The first sync also deletes the link that no list contains.
  await syncPages(['a'], ['b'], ['c']);
  expect(shown.splice(0)).toEqual([1, 3]);
  await syncPages(['a'], ['b'], ['c']);
  expect(shown).toEqual([]);
  await syncPages(['a'], ['b', 'new'], ['c']);
  expect(shown.splice(0)).toEqual([3]);
  await syncPages(['a'], ['b', 'new'], []);
  expect(shown).toEqual([3]);
  stop();
});

test('a link that is created during a sync does not count as missing', async () => {
  await addLinks(worker.store, [aLink('before', { createdAt: Date.now() - 1_000 })]);
  const { stored } = await sync(async () => {
    await addLinks(worker.store, [aLink('during', { createdAt: Date.now() })]);
    return page([]);
  });
  expect(stored.map(({ id, unlisted }) => [id, unlisted])).toEqual([
    ['during', undefined],
    ['before', true],
  ]);
});

test('an empty list is read', async () => {
  expect((await sync(() => page([]))).result).toMatchObject({ unreadable: 0, isCut: false });
});

test.each<[Answer | null, string]>([
  [status(401), 'unauthorized'],
  [status(403), 'forbidden'],
  [{ status: 404, body: { error: 'No.', code: 'not_found' } }, 'cannot_list'],
  [{ status: 404, body: undefined }, 'not_understood'],
  [status(405), 'cannot_list'],
  [status(400), 'refused'],
  [status(500), 'unreachable'],
  [status(503), 'unreachable'],
  [status(429), 'throttled'],
  [null, 'unreachable'],
  [{ status: 302, body: '' }, 'redirected'],
  [{ status: 200, body: undefined }, 'not_understood'],
  [{ status: 200, body: [exampleLink('a')] }, 'not_understood'],
  [page([], 7), 'not_understood'],
  [page([], 'x'.repeat(10_000)), 'not_understood'],
])('%j ends the sync with a problem and deletes nothing', async (answer, problem) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const synced = sync(() => answer);
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  const { result, isOldKept } = await synced;
  expect(result).toEqual({ problem });
  expect(isOldKept).toBe(true);
});

describe('a hostile service', () => {
  test('with a repeated cursor is not followed', async () => {
    const { result, asked } = await sync((_path, count) => page([exampleLink(`a${count}`)], ['x', 'y'][count % 2]));
    expect(result).toEqual({ problem: 'not_understood' });
    expect(asked.length).toBeLessThan(5);
  });

  test('with an endless list is read up to a limit, and nothing is deleted', async () => {
    const older = aLink('c/older', { shortCode: 'older', elsewhere: true, createdAt: 1 });
    await addLinks(worker.store, [older]);
    const write = vi.spyOn(worker.store, 'writeLinks');
    // Storing so many links in a test database would take long.
    for (let pages = 0; pages < MAX_LINKS / 1_000; pages += 1) write.mockResolvedValueOnce(true);
    const { result, asked, codes, isOldKept } = await sync((_path, count) =>
      page(
        Array.from({ length: 1_000 }, (_, index) => exampleLink(`a${count}-${index}`)),
        `${count}`,
      ),
    );
    expect(result).toMatchObject({ isCut: true });
    expect(asked).toHaveLength(MAX_LINKS / 1_000);
    expect([codes, isOldKept]).toEqual([['older'], true]);
  });

  test('with endless empty pages is not read to the end', async () => {
    const { result, asked } = await sync((_path, count) => page([], `${count}`));
    expect(result).toMatchObject({ isCut: true });
    expect(asked.length).toBeLessThan(1_000);
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    exampleLink('', {}),
    exampleLink('a', { shortUrl: 'javascript:alert(1)' }),
    exampleLink('a', { shortUrl: 'https://s.example/\u202Egnp' }),
    exampleLink('a', { clicks: -1 }),
    exampleLink('a', { clicks: '7' }),
    exampleLink('a', { createdAt: 'yesterday' }),
    exampleLink('a', { url: 'https://x.example/'.repeat(2_000) }),
    exampleLink('a'.repeat(10_000)),
  ])('that lists the invalid link %j has only this link skipped', async (wrong) => {
    const { result, codes } = await sync(() => page([exampleLink('x'), wrong, exampleLink('y')]));
    expect(result).toMatchObject({ unreadable: 1 });
    expect(codes).toEqual(['x', 'y']);
  });

  test('with endless titles gets its titles shortened', async () => {
    const { stored } = await sync(() => page([exampleLink('x', { title: 'long '.repeat(100_000) })]));
    expect(stored[0]?.title?.length).toBeLessThan(2_000);
  });
});

/** Changes the connection, or deletes it if there is no change. */
async function changeConnection(change: Partial<Connection> | null) {
  await worker.store.updateAll((all) => {
    const connectionOf = ({ connection }: Queue) => ({ ...connection, revision: 1, ...change });
    const changed = all.queues.map((queue) => ({ ...queue, connection: connectionOf(queue) }));
    return { all: { ...all, queues: change ? changed : [] }, result: null };
  });
}

test('a sync ends and stores nothing if its connection was deleted meanwhile', async () => {
  const { result, asked, codes } = await sync(async () => {
    await changeConnection(null);
    return page([exampleLink('a')], 'next');
  });
  expect(result).toBeNull();
  expect(asked).toHaveLength(1);
  expect(codes).toEqual([]);
});

describe.each<[string, Partial<Connection>]>([
  ['key', {}],
  ['address', { baseUrl: 'https://b.example' }],
])('if its connection gets another %s meanwhile, a sync reads only the new list', (_what, change) => {
  test.each([
    ['after a page', () => page([exampleLink('a')], 'next'), 2],
    ['after the last page', () => page([exampleLink('a')]), 2],
    ['before a failure', () => status(401), 2],
  ])('%s', async (_when, old, requests) => {
    const { result, asked, codes } = await sync(async (_path, count) => {
      if (count > 1) return page([exampleLink('b')]);
      await changeConnection(change);
      return old();
    });
    expect(result).toMatchObject({ unreadable: 0, isCut: false });
    expect(asked).toHaveLength(requests);
    expect(codes).toEqual(['b']);
    expect((await worker.queue()).connection.listRead).toEqual(result);
  });
});

test('a sync of a connection that becomes another kind of server stores nothing of the old list', async () => {
  const { result, codes } = await sync(async () => {
    await changeConnection({ kind: 'sink' });
    return page([exampleLink('a')]);
  });
  expect([result, codes]).toEqual([{ problem: 'not_understood' }, []]);
});

test('a list counts as read only if its connection is still the same', async () => {
  const { update } = worker.store;
  const stored = vi.spyOn(worker.store, 'update').mockImplementationOnce(async (...change) => {
    await changeConnection({ baseUrl: 'https://b.example' });
    return update.apply(worker.store, change) as never;
  });
  const { asked } = await sync((_path, count) => (count === 1 ? page([]) : status(403)));
  expect(stored).toHaveBeenCalledTimes(1);
  expect(asked).toHaveLength(2);
  expect((await worker.queue()).connection.listRead).toBeUndefined();
});

test('a request also waits for the first list of a new address', async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
  let count = 0;
  const fetch = () => (answers[count++] as PromiseWithResolvers<Response>).promise;
  const linkSync = new LinkSync({ store: worker.store, fetch, permitted: async () => true });
  const answer = () => answers[count - 1]?.resolve(Response.json({ links: [], nextCursor: null }));
  const first = linkSync.waitForFirstSync('c');
  await vi.waitFor(() => expect(count).toBe(1));
  answer();
  await first;
  await changeConnection({ baseUrl: 'https://b.example' });
  const synced = linkSync.sync('c');
  await vi.waitFor(() => expect(count).toBe(2));
  const ended: string[] = [];
  const waited = linkSync.waitForFirstSync('c').then(() => ended.push('wait'));
  void synced.then(() => ended.push('sync'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toEqual([]);
  answer();
  await waited;
  expect(ended).toEqual(['sync', 'wait']);
});

test('no link counts as missing if the list became shorter while its pages were read', async () => {
  await worker.connect({ ...FULL, kind: 'shlink' });
  const missingAfter = async (totals: number[]) => {
    const { result, isOldKept } = await sync((_path, count) => {
      const pagination = { currentPage: count, pagesCount: totals.length, totalItems: totals[count - 1] };
      return { status: 200, body: { shortUrls: { data: [], pagination } } };
    });
    expect(result).toMatchObject({ isCut: false });
    return !isOldKept;
  };
  expect(await missingAfter([3, 4, 3])).toBe(false);
  expect(await missingAfter([4, 3, 4])).toBe(false);
  // A new link moves older links to a later page, and the next page contains them again.
  expect(await missingAfter([3, 4, 4])).toBe(true);
});
