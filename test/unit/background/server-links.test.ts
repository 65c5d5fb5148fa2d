import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeletionFailure, Message } from '../../../src/messages/protocol.ts';
import type { LinkChanges } from '../../../src/servers/adapter.ts';
import { onLinksChanged } from '../../../src/storage/database.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { routerOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { FULL, SPEC_ONLY, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const KEY = 'key-secret';
const PAGE = {
  id: 'abcdefgh',
  origin: 'chrome-extension://abcdefgh',
  url: 'chrome-extension://abcdefgh/src/pages/links/',
};

let server: MisbehavingServer;
let worker: TestWorker;
let baseUrl: string;
let permitted: boolean;

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  worker = new TestWorker();
  baseUrl = await server.start();
  await worker.connect({ ...SPEC_ONLY, baseUrl }, KEY);
  permitted = true;
});
afterEach(() => server.stop());

type Part = { shortCode: string; shortUrl?: string } & (
  | { type: 'read-clicks' }
  | { type: 'edit-link'; linkId: string; changes: LinkChanges }
);

const CLICKS: Part = { type: 'read-clicks', shortCode: 'a' };
const NO_CLICKS = {
  shortCode: 'a',
  interval: 'day',
  from: '2026-03-01',
  to: '2026-03-28',
  clicks: 0,
  visitors: 0,
  bots: 0,
  series: [],
  referrers: [],
  browsers: [],
  systems: [],
  devices: [],
  countries: [],
};

function ask(part: Part = CLICKS, connectionId = 'c'): Promise<unknown> {
  return send({ ...part, connectionId, baseUrl });
}

/** Deletes links of a connection on its server. Returns the failures. */
function remove(codes = ['a'], connectionId = 'c', address = baseUrl): Promise<unknown> {
  const links = codes.map((shortCode) => ({ id: shortCode, shortCode, shortUrl: '' }));
  return send({ type: 'delete-links', localIds: [], servers: [{ connectionId, baseUrl: address, links }] });
}

async function send(message: Message): Promise<unknown> {
  const reply = (await routerOver(worker, { permitted: async () => permitted })(message, PAGE)) as {
    ok: true;
    value: unknown;
  };
  expect(reply.ok).toBe(true);
  expect(JSON.stringify(reply)).not.toContain(KEY);
  return reply.value;
}

test('an edit keeps the title of a link that its service lists without a title, unless the title is edited', async () => {
  const titleAfter = async (changes: LinkChanges) => {
    await addLinks(worker.store, [aLink('a', { title: 'Otters' })]);
    const listed = { shortCode: 'a', shortUrl: 'https://s.example/a', createdAt: '2026-03-01T00:00:00Z', clicks: 0 };
    server.manner = says(200, { ...listed, url: 'https://new.example/', title: null, expiresAt: null });
    await ask({ type: 'edit-link', linkId: 'a', shortCode: 'a', shortUrl: '', changes });
    const [link] = await readLinks();
    return [link?.url, link?.title];
  };
  expect(await titleAfter({ url: 'https://new.example/' })).toEqual(['https://new.example/', 'Otters']);
  expect(await titleAfter({ title: null })).toEqual(['https://new.example/', '']);
});

test('calls to the service use the API key, which no page receives, and cost no quota', async () => {
  server.manner = says(200, NO_CLICKS);
  expect(await ask()).toMatchObject({ value: { clicks: 0, series: [] } });
  expect(server.heard).toMatchObject([
    { method: 'GET', path: '/api/v1/analytics/a', headers: { authorization: `Bearer ${KEY}` }, body: '' },
  ]);
  expect((await worker.queue()).limits.sends).toEqual([]);
});

test('a failure contains the retry delay, without a retry if the delay is long', async () => {
  server.manner = says(429, {}, { 'Retry-After': '70' });
  expect(await ask()).toMatchObject({ problem: 'throttled', retryAfterSeconds: 70 });
  expect(server.heard).toHaveLength(1);
});

describe('no request is sent', () => {
  afterEach(() => expect(server.heard).toEqual([]));

  test('for a connection that was deleted', async () => {
    expect(await ask(CLICKS, 'gone')).toMatchObject({ problem: 'no_connection' });
  });

  test('if the connection has another address now, whose server may use the same code for another link', async () => {
    await worker.connect({ ...SPEC_ONLY, baseUrl: 'https://elsewhere.example' }, KEY);
    expect(await remove()).toMatchObject([{ problem: 'no_connection' }]);
  });

  test('without permission for the host', async () => {
    permitted = false;
    expect(await ask()).toMatchObject({ problem: 'permission' });
  });

  test.each(['', '.', '..'])('for a code that would lead to another path (“%s”)', async (shortCode) => {
    expect(await ask({ type: 'read-clicks', shortCode })).toMatchObject({ problem: 'unreachable' });
    expect(await remove([shortCode])).toMatchObject([{ problem: 'unreachable' }]);
    expect(await ask({ type: 'edit-link', linkId: 'a', shortCode, changes: {} })).toMatchObject({
      problem: 'unreachable',
    });
  });
});

describe('a deleted link', () => {
  beforeEach(() => addLinks(worker.store, [aLink('a'), aLink('b')]));

  test.each([
    [404, 'not_found'],
    [410, 'gone'],
  ])('is removed from the history if its service no longer has it: %d', async (status, code) => {
    server.manner = says(status, { error: 'No.', code });
    await remove();
    expect(await worker.links()).toEqual(['b']);
  });

  test('is removed from the history if its key may delete links, but not read them', async () => {
    deletes(says(204), says(403, { error: 'No.', code: 'forbidden' }));
    expect(await remove()).toEqual([]);
    expect(await worker.links()).toEqual(['b']);
  });

  test.each([
    [says(204), 'not_understood'],
    [says(200, '<html>'), 'not_understood'],
    [says(404, '<html>'), 'not_understood'],
    [says(302, '', { Location: 'https://elsewhere.example/' }), 'redirected'],
    [hangsUp, 'unreachable'],
  ] as const)('stays if a captive portal answers 204 (%#)', async (read, problem) => {
    deletes(says(204), read);
    expect(await remove()).toMatchObject([{ problem }]);
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  function deletes(deletion: Manner, read: Manner): void {
    server.manner = (response, request) => (request.method === 'DELETE' ? deletion : read)(response, request);
  }
});

describe('several deleted links', () => {
  beforeEach(() => addLinks(worker.store, [aLink('a'), aLink('b'), aLink('c'), aLink('local')]));

  /** Makes the server delete links, except these codes, which it answers as given. */
  function deletes(exceptions: Record<string, Manner> = {}): void {
    server.manner = (response, request) => {
      const exception = exceptions[request.url?.split('/').at(-1) ?? ''];
      const manner = request.method === 'DELETE' ? says(204) : says(410, { error: 'Gone.', code: 'gone' });
      (exception ?? manner)(response, request);
    };
  }
  const deletions = () => server.heard.filter(({ method }) => method === 'DELETE').map(({ path }) => path.slice(-1));

  test('stay in the history from the first failed deletion on', async () => {
    deletes({ b: says(403, { error: 'No.', code: 'forbidden' }) });
    expect(await remove(['a', 'b', 'c'])).toEqual([{ connectionId: 'c', problem: 'forbidden', left: ['b', 'c'] }]);
    expect(await worker.links()).toEqual(['b', 'c', 'local']);
  });

  test('are deleted on their server and from the history even if another server fails', async () => {
    deletes();
    const changed = vi.fn();
    onLinksChanged(changed);
    const failing = new MisbehavingServer();
    const other = { ...FULL, id: 'other', baseUrl: await failing.start() };
    await worker.connect(other, 'key-other');
    failing.manner = hangsUp;
    const failures = await send({
      type: 'delete-links',
      localIds: ['local'],
      servers: [
        { connectionId: 'other', baseUrl: other.baseUrl, links: [{ id: 'a', shortCode: 'a', shortUrl: '' }] },
        { connectionId: 'c', baseUrl, links: ['b', 'c'].map((code) => ({ id: code, shortCode: code, shortUrl: '' })) },
      ],
    });
    await failing.stop();
    expect(failures).toEqual([
      { connectionId: 'other', problem: 'unreachable', left: ['a'] },
    ] satisfies DeletionFailure[]);
    expect(await worker.links()).toEqual(['a']);
    expect(changed, 'broadcast').toHaveBeenCalledOnce();
  });

  test('are retried while the server limits requests', async () => {
    let refusals = 2;
    deletes({
      b: (response, request) => {
        const isRefused = request.method === 'DELETE' && refusals > 0;
        if (isRefused) refusals -= 1;
        const answer = isRefused ? says(429, {}, { 'Retry-After': '0' }) : says(410, { error: 'x', code: 'gone' });
        answer(response, request);
      },
    });
    expect(await remove(['a', 'b', 'c'])).toEqual([]);
    expect(deletions()).toEqual(['a', 'b', 'b', 'b', 'c']);
  });

  test('stay in the history, with the problem, if the server never lifts its limit', async () => {
    deletes({ b: says(429, {}, { 'Retry-After': '0' }) });
    expect(await remove(['a', 'b', 'c'])).toEqual([{ connectionId: 'c', problem: 'throttled', left: ['b', 'c'] }]);
    expect(deletions()).toHaveLength(1 + 6);
  });
});
