import { beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { DEFAULT_SETTINGS, type Settings, writeSettings } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, created, FULL, lost, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const OK = { ok: true, value: null };
const OTHER = { ...FULL, id: 'other', baseUrl: 'https://b.example', preferredAt: 0 };
const accepted = (...requestIds: string[]) => ({ ok: true, value: { requestIds, existing: [], refused: [] } });
const existing = (orderId: string, linkId = orderId) => ({
  ok: true,
  value: { requestIds: [], existing: [{ orderId, linkId, shortUrl: `https://s.example/${linkId}` }] },
});

describe('a request to shorten', () => {
  test('is answered after it is on disk, and starts the queue', async () => {
    const worker = await connected();
    expect(await worker.shorten({ id: 'request-a' })).toMatchObject(accepted('request-a'));
    expect(await new TestWorker().requests()).toMatchObject([{ id: 'request-a', state: 'waiting' }]);
    expect(worker.changes).toBe(1);
  });

  test('that is repeated is accepted once, even after its link was created', async () => {
    const worker = await connected();
    await worker.accept('request-a', 'request-a');
    expect(await worker.requests()).toHaveLength(1);
    await worker.runOut();
    expect(await worker.shorten({ id: 'request-a' })).toMatchObject(existing('request-a'));
    expect(await worker.requests()).toEqual([]);
  });

  test.each([
    ['there is no connection', null],
    ['the given connection does not exist', 'nowhere'],
  ])('is refused and starts nothing if %s', async (_why, connectionId) => {
    const worker = connectionId ? await connected() : new TestWorker();
    const reply = await worker.shorten({ id: 'request-a' }, { connectionId });
    expect(reply).toEqual({ ok: false, code: 'no_connection' });
    expect(worker.changes).toBe(0);
  });

  test('with options is refused if the service does not support them', async () => {
    const options = { ...NO_OPTIONS, shortCode: 'mine' };
    const worker = await connected();
    const reply = await worker.shorten({ id: 'request-a' }, { options });
    expect(reply).toEqual({ ok: false, code: 'options_not_supported' });
    const full = await connected('full');
    await full.shorten({ id: 'request-a' }, { options });
    await full.runOut();
    expect(full.sent).toMatchObject([{ path: '/api/v1/urls', body: expect.stringContaining('"shortCode":"mine"') }]);
  });
});

describe('the link defaults', () => {
  const tracked = 'https://x.example/page?id=1&utm_source=y#:~:text=z';
  const byDefault = (worker: TestWorker, id: string, url = tracked) => worker.shorten({ id, url }, { options: null });
  const choose = (change: Partial<Settings>) => writeSettings({ ...DEFAULT_SETTINGS, ...change });

  test('apply to every request without options, and a lifetime starts when the request is sent', async () => {
    await choose({ removeTracking: true, dropTextFragment: true, expiry: 'day' });
    const worker = await connected('full');
    await byDefault(worker, 'request-a');
    expect(await worker.requests()).toMatchObject([
      { url: 'https://x.example/page?id=1', options: NO_OPTIONS, defaultExpiry: 'day' },
    ]);
  });

  test('create no second request or link for the same URL', async () => {
    await choose({ removeTracking: true, expiry: 'day' });
    const worker = await connected('full');
    await byDefault(worker, 'request-a');
    worker.pass(1_000);
    expect(await byDefault(worker, 'request-b')).toMatchObject(accepted('request-a'));
    await worker.runOut();
    expect(await byDefault(worker, 'request-c', 'https://x.example/page?utm_medium=a&id=1#:~:text=z')).toMatchObject(
      existing('request-c', 'request-a'),
    );
  });
});

describe('a short URL', () => {
  test('on the host of a shared web site is refused only if it is known, in any form', async () => {
    const worker = await connected('full');
    const service = { name: 'YOURLS', shortBaseUrl: 'https://site.example', features: [] };
    await worker.connect({ ...OTHER, kind: 'yourls', service });
    await addLinks(worker.store, [aLink('otter', { shortUrl: 'https://site.example/otter', connectionId: 'other' })]);
    for (const end of ['otter', 'otter/', 'otter?utm_source=x', 'otter#top']) {
      const reply = await worker.shorten({ id: 'request-o', url: `https://site.example/${end}` });
      expect(reply).toEqual({ ok: false, code: 'own_short_link' });
    }
    for (const page of ['', 'about', 'blog/otter', 'otters']) {
      const id = `request-${page}`;
      expect(await worker.shorten({ id, url: `https://site.example/${page}` })).toMatchObject(accepted(id));
    }
  });

  test('is accepted if only a link without a connection has it as its short URL', async () => {
    const shortUrl = 'https://mail.example/inbox';
    const worker = await connected('full');
    await addLinks(worker.store, [aLink('forged', { shortUrl, connectionId: null })]);
    expect(await worker.shorten({ id: 'request-m', url: shortUrl })).toMatchObject(accepted('request-m'));
  });
});

describe('a URL to shorten', () => {
  test.each([
    ['http://alice:secret@x.example/page', 'http://x.example/page', true],
    ['about:reader?url=https%3A%2F%2Fx.example%2Fread', 'https://x.example/read', false],
    ['https://x.example/page?a=b#c', 'https://x.example/page?a=b#c', false],
  ])('%s is sent as %s', async (url, sent, userInfoRemoved) => {
    const worker = await connected();
    expect(await worker.shorten({ id: 'request-a', url })).toMatchObject({ ok: true, value: { userInfoRemoved } });
    expect(await worker.requests()).toMatchObject([{ url: sent }]);
    await worker.runOut();
    expect(JSON.stringify(worker.sent)).not.toContain('secret');
  });

  test.each([
    ['https://s.example/abc', 'own_short_link'],
    ['chrome://settings', 'not_shortenable'],
    ['file:///etc/passwd', 'not_shortenable'],
    ['javascript:alert(1)', 'not_shortenable'],
    ['about:blank', 'not_shortenable'],
    ['not a url', 'not_shortenable'],
    ['', 'not_shortenable'],
  ])('%j is refused as %s', async (url, code) => {
    const worker = await connected('full');
    expect(await worker.shorten({ id: 'request-a', url })).toEqual({ ok: false, code });
    expect(await worker.requests()).toEqual([]);
  });
});

describe('a list of URLs', () => {
  const list = (worker: TestWorker, ...urls: string[]) =>
    worker.commands.shorten({
      orders: urls.map((url, n) => ({ id: `request-${n}`, url, title: '' })),
      connectionId: null,
      options: NO_OPTIONS,
      anew: false,
      source: 'popup',
    });

  test('becomes a list in the same order, without URLs that cannot be shortened, which are reported', async () => {
    const worker = await connected();
    await addLinks(worker.store, [aLink('known', { url: 'https://x.example/known' })]);
    const [one, two] = ['https://x.example/1', 'https://x.example/2'];
    expect(await list(worker, 'file:///x', 'https://x.example/known', two, one, two)).toEqual({
      ok: true,
      value: {
        requestIds: ['request-2', 'request-3'],
        existing: [{ orderId: 'request-1', linkId: 'known', shortUrl: 'https://s.example/known' }],
        refused: [{ orderId: 'request-0', code: 'not_shortenable' }],
        userInfoRemoved: false,
      },
    });
    const requests = await worker.requests();
    expect(requests.map(({ url }) => url)).toEqual([two, one]);
    expect(requests[0]?.listId).toEqual(expect.any(String));
    expect(requests[1]?.listId).toBe(requests[0]?.listId);
  });
});

describe('a request that replaces another', () => {
  const replace = (
    worker: TestWorker,
    id: string,
    { url = 'https://x.example/request-a', ...part }: { url?: string; connectionId?: string } = {},
  ) => worker.shorten({ id, url }, { insteadOf: 'request-a', ...part });
  const ids = async (worker: TestWorker, id?: string) => (await worker.requests(id)).map((request) => request.id);

  test('takes its place in one transaction, even if nothing has changed', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    const transact = vi.spyOn(worker.store, 'updateAll');
    expect(await replace(worker, 'request-b')).toMatchObject(accepted('request-b'));
    expect(transact).toHaveBeenCalledOnce();
    expect(await ids(worker)).toEqual(['request-b']);
    expect(await replace(worker, 'request-b')).toMatchObject(accepted('request-b'));
    expect(await ids(worker)).toEqual(['request-b']);
  });

  test('and cannot be stored leaves the other request unchanged', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    const before = await worker.requests();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    });
    await expect(replace(worker, 'request-b')).rejects.toThrow('The disk is full.');
    expect(await worker.requests()).toEqual(before);
  });

  test.each(['c', 'other'])(
    'and is refused leaves the other unchanged (on the connection %s)',
    async (connectionId) => {
      const worker = await connected('full');
      await worker.connect(OTHER);
      await addLinks(worker.store, [aLink('own', { shortUrl: 'https://tiny.example/own' })]);
      await worker.accept('request-a');
      const before = await worker.requests();
      for (const url of ['https://tiny.example/own', 'about:blank'])
        expect(await replace(worker, 'request-b', { url, connectionId })).toMatchObject({ ok: false });
      expect(await worker.requests()).toEqual(before);
    },
  );

  test.each(['c', 'other'])('is too late if the other is being sent (from the connection %s)', async (connectionId) => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    await worker.accept('request-a');
    worker.send = async ({ requestIds }) => {
      const replaced = await replace(worker, 'request-b', { connectionId });
      expect(replaced).toEqual({ ok: false, code: 'too_late' });
      return created(requestIds);
    };
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-a']);
    expect(await ids(worker, 'other')).toEqual([]);
  });

  test.each(['full', 'spec-only'] as const)('is too late if the link of the other may exist (%s)', async (kind) => {
    const worker = await connected(kind);
    await worker.accept('request-a');
    worker.send = async (attempt) => lost(attempt);
    await worker.runner.run();
    expect(await replace(worker, 'request-b')).toEqual({ ok: false, code: 'too_late' });
    worker.send = async ({ requestIds }) => created(requestIds);
    await worker.commands.retry('request-a');
    await worker.runOut();
    expect(await replace(worker, 'request-b', { url: 'https://x.example/edited' })).toEqual({
      ok: false,
      code: 'too_late',
    });
    expect([await worker.links(), await ids(worker)]).toEqual([['request-a'], []]);
  });

  test('on another connection deletes the other request from its own queue', async () => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    await worker.accept('request-a');
    expect(await replace(worker, 'request-b', { connectionId: 'other' })).toMatchObject(accepted('request-b'));
    expect([await ids(worker), await ids(worker, 'other')]).toEqual([[], ['request-b']]);
  });
});

describe('canceling', () => {
  test('removes a waiting request from any queue', async () => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    await worker.accept('request-a', 'request-b');
    await worker.shorten({ id: 'request-c' }, { connectionId: 'other' });
    expect(await worker.commands.cancel(['request-a', 'request-c'])).toEqual(OK);
    expect(await worker.requests()).toMatchObject([{ id: 'request-b' }]);
    expect(await worker.requests('other')).toEqual([]);
  });

  test('is too late for a request that is being sent', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    worker.send = async ({ requestIds }) => {
      expect(await worker.commands.cancel(['request-a'])).toEqual({ ok: false, code: 'too_late' });
      return created(requestIds);
    };
    await worker.runner.run();
    expect(await worker.links()).toEqual(['request-a']);
  });
});

test('retrying in one queue does not unblock another queue', async () => {
  const worker = await connected('full');
  await worker.connect(OTHER);
  const blocked = (id: string) =>
    worker.store.update(id, (queue) => ({
      queue: { ...queue, state: { ...queue.state, blocked: 'redirected' } },
      result: null,
    }));
  await blocked('c');
  await blocked('other');
  await worker.commands.tryNow('other');
  expect([(await worker.queue()).state.blocked, (await worker.queue('other')).state.blocked]).toEqual([
    'redirected',
    null,
  ]);
});
