import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleLink } from '../../../contract/test/example-link.ts';
import type { LinkSync } from '../../../src/background/link-sync.ts';
import { connectionOfLink, editLink, readClicks } from '../../../src/link-sync/ask-server.ts';
import { cleanChanges } from '../../../src/pages/links/links-store.ts';
import type { Connection, Link } from '../../../src/queue/types.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { hangsUp, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { connectionsOver, linkSyncOver, routerOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
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

/** Makes the service list these records. */
function lists(links: object[]) {
  server.manner = says(200, { links, nextCursor: null });
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

  test('is started again when the network returns or by the next worker, but only until it ends', async () => {
    server.manner = hangsUp;
    await linkSync.syncMissing();
    expect(server.heard).not.toEqual([]);
    lists([exampleLink('a')]);
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

  test('lets a URL get a new link if the old one was deleted elsewhere', async () => {
    await addLinks(worker.store, [aLink('made', { url: 'https://x.example/a', createdAt: 1 })]);
    lists([]);
    await refresh();
    const reply = await worker.shorten({ id: 'order', url: 'https://x.example/a' });
    expect(reply).toMatchObject({ value: { requestIds: ['order'], existing: [] } });
  });
});

describe('a link', () => {
  beforeEach(async () => {
    const link = { shortCode: 'a/b', shortUrl: 'https://s.example/a/b', title: 'Page' };
    await addLinks(worker.store, [aLink('made', link)]);
  });

  test('is edited at its service, and here as the service returns it', async () => {
    server.manner = says(200, exampleLink('a/b', { url: 'https://new.example/', clicks: 5 }));
    const link = await linkOf('a/b');
    expect(await editLink(connection, link, { url: 'https://new.example', title: null })).toBeNull();
    expect(server.heard).toMatchObject([{ method: 'PATCH', path: '/api/v1/urls/a%2Fb' }]);
    expect(await linkOf('a/b')).toMatchObject({ id: link.id, url: 'https://new.example/', title: '', clicks: 5 });
  });

  test.each([
    [says(400, { error: 'Please enter a valid URL.', code: 'invalid_url' }), 'refused', 'invalid_url'],
    [says(404, '<html>'), 'not_understood', ''],
    [says(200, exampleLink('another')), 'not_understood', ''],
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
    const counted = { shortCode: 'a/b', interval: 'day', clicks: 5, visitors: 2, bots: 1 };
    const others = { browsers: [], systems: [], devices: [], countries: [] };
    const referrers = [{ name: 'news.example', clicks: 2 }];
    const series = [day('2026-03-27', 1), day('2026-03-28', 4)];
    server.manner = says(200, { ...counted, from: '2026-03-27', to: '2026-03-28', series, referrers, ...others });
    expect(await readClicks(connection, await linkOf('a/b'))).toMatchObject({
      ...{ clicks: 5, visitors: 2, bots: 1, referrers, series },
    });
  });
});

test.each(['', '.', '..'])('a link whose code would lead to another path is only local (“%s”)', (shortCode) => {
  const link = aLink('odd', { shortCode });
  expect(connectionOfLink(link, [connection])).toBeNull();
  expect(connectionOfLink({ ...link, shortCode: '...' }, [connection])).toBe(connection);
});

test('an edited long URL is checked and normalized as for shortening, before a request is sent', () => {
  const clean = (url: string) => cleanChanges({ url, title: 'x' }, [connection]);
  expect(clean('javascript:alert(1)')).toEqual({ blocked: 'scheme' });
  expect(clean('https://s.example/abc')).toEqual({ blocked: 'own_short_link' });
  expect(clean('new.example')).toEqual({ url: 'https://new.example/', title: 'x' });
  expect(cleanChanges({ title: null }, [connection])).toEqual({ title: null });
});

test('a background that stops counts as unreachable', async () => {
  browser.runtime.sendMessage.mockImplementation(async () => undefined);
  expect(await readClicks(connection, aLink('a'))).toMatchObject({ problem: 'unreachable' });
});
