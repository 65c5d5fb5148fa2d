import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleLink } from '../../../contract/test/example-link.ts';
import type { LinkSync } from '../../../src/background/link-sync.ts';
import { connectionOfLink, editLink, lookUpCode, readClicks } from '../../../src/link-sync/ask-server.ts';
import { cleanChanges } from '../../../src/pages/links/links-store.ts';
import type { Connection, Link } from '../../../src/queue/types.ts';
import { onLinksChanged } from '../../../src/storage/change-broadcast.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { hangsUp, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { connectionsOver, linkSyncOver, routerOver } from '../support/connection-commands.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { FULL, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

/* Tests the links page's functions with the real background worker, a database and an HTTP server. */

const PAGE = { id: 'abcdefgh', origin: 'chrome-extension://abcdefgh', url: 'chrome-extension://abcdefgh/src/links/' };

let server: MisbehavingServer;
let worker: TestWorker;
let connection: Connection;
let linkSync: LinkSync;

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  worker = new TestWorker();
  connection = { ...FULL, baseUrl: await server.start() };
  await worker.connect(connection, 'key-secret');
  linkSync = linkSyncOver(worker);
  const router = routerOver(worker);
  browser.runtime.sendMessage.mockImplementation((message) => router(message, PAGE) as Promise<unknown>);
});
afterEach(() => server.stop());

const GONE = { error: 'Gone.', code: 'gone' };

/** Makes the service list these records, with `size` records per page. */
function lists(records: object[], size = 100) {
  server.manner = (response: ServerResponse, request) => {
    const from = Number(new URL(request.url ?? '', connection.baseUrl).searchParams.get('cursor') ?? 0);
    const nextCursor = from + size < records.length ? `${from + size}` : null;
    says(200, { links: records.slice(from, from + size), nextCursor })(response, request);
  };
}

const refresh = () => linkSync.sync(connection.id);
const links = () => readLinks();
const linkOf = async (shortCode: string) => (await links()).find((link) => link.shortCode === shortCode) as Link;

describe('the first sync of a connection', () => {
  const listRead = async () => (await worker.queue()).connection.listRead;

  test('starts when the connection is saved, so that a new browser knows the existing links', async () => {
    lists([exampleLink('a')]);
    const connections = connectionsOver(worker, { connected: (id) => void linkSync.sync(id) });
    await connections.save({ connectionId: 'c', name: '', baseUrl: connection.baseUrl, apiKey: null });
    await vi.waitFor(async () => expect(await listRead()).toBeDefined());
    expect(await links()).toMatchObject([{ shortCode: 'a' }]);
  });

  test('is started again by the next worker if it did not finish, and only then', async () => {
    server.manner = hangsUp;
    await refresh();
    lists([exampleLink('a')]);
    linkSync = linkSyncOver(worker);
    await linkSync.syncMissing();
    await vi.waitFor(async () => expect(await listRead()).toBeDefined());
    const { length } = server.heard;
    linkSync = linkSyncOver(worker);
    await linkSync.syncMissing();
    expect(server.heard).toHaveLength(length);
  });

  test('is awaited by a new request, which then reuses the link that the server lists', async () => {
    lists([exampleLink('a')]);
    worker.waitForFirstSync = (one) => linkSync.waitForFirstSync(one);
    const reply = await worker.shorten({ id: 'order', url: 'https://x.example/a' });
    expect(reply).toMatchObject({ value: { requestIds: [], existing: [{ shortUrl: 'https://s.example/a' }] } });
  });

  test.each<[string, () => void]>([
    ['fails', () => (server.manner = hangsUp)],
    ['takes too long', () => (server.manner = () => {})],
  ])('does not prevent a new request if it %s', async (_what, happens) => {
    happens();
    worker.waitForFirstSync = (one) => linkSync.waitForFirstSync(one);
    expect(await worker.shorten({ id: 'order' })).toMatchObject({ value: { requestIds: ['order'] } });
    expect(await listRead()).toBeUndefined();
  });
});

describe("a service's list", () => {
  test('is broadcast to open pages', async () => {
    const told = vi.fn<() => void>();
    const stop = onLinksChanged(told);
    lists([exampleLink('a')]);
    await refresh();
    expect(told).toHaveBeenCalled();
    told.mockClear();
    await refresh();
    stop();
    expect(told).not.toHaveBeenCalled();
  });

  test('is read only once at a time', async () => {
    lists([exampleLink('a')]);
    const [one, other] = await Promise.all([refresh(), refresh()]);
    expect(one).toEqual(other);
    expect(server.heard).toHaveLength(1);
  });

  test('that breaks off keeps the old links and those that were read', async () => {
    lists([exampleLink('old')]);
    await refresh();
    let asked = 0;
    server.manner = (response, request) => {
      asked += 1;
      const page = says(200, { links: [exampleLink('new')], nextCursor: 'more' });
      (asked === 1 ? page : hangsUp)(response, request);
    };
    expect(await refresh()).toEqual({ problem: 'unreachable' });
    expect((await links()).map(({ shortCode }) => shortCode).sort()).toEqual(['new', 'old']);
  });

  test('lets a URL reuse its link from another browser', async () => {
    lists([exampleLink('a'), exampleLink('gone', { expiresAt: '2026-03-28T09:00:00.000Z' })]);
    await refresh();
    const reply = await worker.shorten({ id: 'order', url: 'https://x.example/a' });
    expect(reply).toMatchObject({ value: { requestIds: [], existing: [{ shortUrl: 'https://s.example/a' }] } });
    const expired = await worker.shorten({ id: 'other', url: 'https://x.example/gone' });
    expect(expired).toMatchObject({ value: { requestIds: ['other'], existing: [] } });
  });

  test('lets a URL get a new link if the old one was deleted elsewhere', async () => {
    await addLinks(worker.store, [aLink('made', { url: 'https://x.example/a', createdAt: 1 })]);
    lists([]);
    await refresh();
    const reply = await worker.shorten({ id: 'order', url: 'https://x.example/a' });
    expect(reply).toMatchObject({ value: { requestIds: ['order'], existing: [] } });
  });

  test('does not reveal the API key', async () => {
    lists([exampleLink('a')]);
    await refresh();
    await readClicks(connection, await linkOf('a'));
    const database = await openDatabase();
    const { secrets, ...others } = await everythingOnDisk(database);
    database.close();
    expect(JSON.stringify(others)).not.toContain('key-secret');
    expect(JSON.stringify(browser.runtime.sendMessage.mock.calls)).not.toContain('key-secret');
    expect(secrets).toHaveLength(1);
  });
});

describe('a link', () => {
  beforeEach(async () => {
    await addLinks(worker.store, [
      aLink('made', { shortCode: 'a/b', shortUrl: 'https://s.example/a/b', title: 'Page' }),
    ]);
    lists([exampleLink('a/b', { clicks: 4 })]);
    await refresh();
    server.heard.length = 0;
  });

  test('is edited at its service, and here as the service returns it', async () => {
    const answered = exampleLink('a/b', { url: 'https://new.example/', clicks: 5 });
    server.manner = says(200, answered);
    const link = await linkOf('a/b');
    expect(await editLink(connection, link, { url: 'https://new.example', title: null })).toBeNull();
    expect(server.heard).toMatchObject([{ method: 'PATCH', path: '/api/v1/urls/a%2Fb' }]);
    expect(await linkOf('a/b')).toEqual({ ...link, url: 'https://new.example/', title: '', clicks: 5 });
  });

  test.each([
    [says(400, { error: 'Please enter a valid URL.', code: 'invalid_url' }), 'refused', 'invalid_url'],
    [says(404, { error: 'No.', code: 'not_found' }), 'gone', 'not_found'],
    [says(404, '<html>'), 'not_understood', ''],
    [says(200, exampleLink('another')), 'not_understood', ''],
    [says(200, '<html>'), 'not_understood', ''],
    [hangsUp, 'unreachable', ''],
  ] as const)('that could not be edited stays unchanged (%#)', async (manner, problem, code) => {
    const before = await linkOf('a/b');
    server.manner = manner;
    expect(await editLink(connection, before, { title: 'New' })).toMatchObject({ problem, code });
    expect(await linkOf('a/b')).toEqual(before);
  });

  test('counts as edited even if the local copy cannot be written', async () => {
    server.manner = says(200, exampleLink('a/b', { title: 'New' }));
    const link = await linkOf('a/b');
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    });
    expect(await editLink(connection, link, { title: 'New' })).toBeNull();
    put.mockRestore();
    expect(await linkOf('a/b')).toEqual(link);
  });

  test('returns its clicks per day', async () => {
    const day = (date: string, clicks: number) => ({ start: `${date}T00:00:00.000Z`, clicks, visitors: 1, bots: 0 });
    server.manner = says(200, {
      shortCode: 'a/b',
      from: '2026-03-27',
      to: '2026-03-28',
      interval: 'day',
      clicks: 5,
      visitors: 2,
      bots: 1,
      series: [day('2026-03-27', 1), day('2026-03-28', 4)],
      referrers: [
        { name: null, clicks: 3 },
        { name: 'x'.repeat(10_000), clicks: 2 },
      ],
      browsers: [],
      systems: [],
      devices: [],
      countries: [],
    });
    const clicks = await readClicks(connection, await linkOf('a/b'));
    expect(server.heard).toMatchObject([{ method: 'GET', path: '/api/v1/analytics/a%2Fb' }]);
    expect(clicks).toMatchObject({
      clicks: 5,
      visitors: 2,
      bots: 1,
      series: [
        { start: Date.UTC(2026, 2, 27), clicks: 1 },
        { start: Date.UTC(2026, 2, 28), clicks: 4 },
      ],
      referrers: [{ clicks: 2, name: 'x'.repeat(200) }],
    });
  });
});

test.each([
  [says(200, exampleLink('a')), 'taken'],
  [says(404, { error: 'No.', code: 'not_found' }, { 'short-code-available': 'true' }), 'available'],
  [says(404, { error: 'No.', code: 'not_found' }), 'unknown'],
  [says(403, { error: 'No.', code: 'forbidden' }), 'unknown'],
  [says(404, '<html>', { 'short-code-available': 'true' }), 'unknown'],
  [says(410, GONE), 'taken'],
  [says(404, '<html>'), 'unknown'],
  [says(200, '<html>'), 'unknown'],
  [hangsUp, 'unknown'],
] as const)(
  'the availability of a code is read only from a response of the service itself (%#)',
  async (manner, use) => {
    server.manner = manner;
    expect(await lookUpCode(connection, 'a')).toBe(use);
  },
);

test.each(['', '.', '..'])('a link whose code would lead to another path is only local (“%s”)', (shortCode) => {
  const link = aLink('odd', { shortCode });
  expect(connectionOfLink(link, [connection])).toBeNull();
  expect(connectionOfLink({ ...link, shortCode: '...' }, [connection])).toBe(connection);
});

describe('an edit of the long URL', () => {
  const clean = (url: string) => cleanChanges({ url, title: 'x' }, [connection]);

  test.each([
    ['jane@example.com', 'email'],
    ['javascript:alert(1)', 'scheme'],
    ['no address', 'not_a_url'],
    [`https://x.example/${'a'.repeat(33_000)}`, 'too_long'],
    ['https://s.example/abc', 'own_short_link'],
  ])('that is invalid is refused before a request is sent: %s', (url, blocked) => {
    expect(clean(url)).toEqual({ blocked });
  });

  test('is normalized as for shortening', () => {
    expect(clean('new.example')).toEqual({ url: 'https://new.example/', title: 'x' });
    expect(cleanChanges({ title: null }, [connection])).toEqual({ title: null });
  });
});

test('a background that stops counts as unreachable', async () => {
  browser.runtime.sendMessage.mockImplementation(async () => undefined);
  expect(await readClicks(connection, aLink('a'))).toMatchObject({ problem: 'unreachable' });
});

test('an imported link gets its connection when the service lists it', async () => {
  await addLinks(worker.store, [aLink('a', { connectionId: null }), aLink('gone', { connectionId: null })]);
  lists([exampleLink('a')]);
  await refresh();
  expect(new Map((await links()).map(({ id, connectionId }) => [id, connectionId]))).toEqual(
    new Map([
      ['a', connection.id],
      ['gone', null],
    ]),
  );
});
