import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../../src/background/commands/service-link-commands.ts';
import { createRouter } from '../../../src/background/message-router.ts';
import type { Message, ServiceAnswer } from '../../../src/messages/protocol.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from '../services/misbehaving-server.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { connectionsOver } from '../support/connection-commands.ts';
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
let refusesRule: boolean;
const closed: string[] = [];

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  worker = new TestWorker();
  baseUrl = await server.start();
  await worker.connect({ ...SPEC_ONLY, baseUrl }, KEY);
  permitted = true;
  refusesRule = false;
  closed.length = 0;
});
afterEach(() => server.stop());

const nothing = async () => {};

/** What a page is answered that asks. */
async function call(part: Partial<Call>): Promise<ServiceAnswer> {
  const connections = connectionsOver(worker, {
    permitted: async () => permitted,
    closeConnections: async (address) => {
      if (refusesRule) throw new Error('The maximum number of rules is reached.');
      closed.push(address);
    },
  });
  const { store, commands } = worker;
  const router = createRouter({
    commands,
    connections,
    store,
    online: nothing,
    changed: nothing,
    deleteEverything: nothing,
  });
  const message: Message = {
    type: 'call-service',
    connectionId: 'c',
    baseUrl,
    method: 'GET',
    path: 'urls?limit=100',
    ...part,
  };
  const reply = (await router(message, PAGE)) as { ok: true; value: ServiceAnswer };
  expect(reply.ok).toBe(true);
  expect(JSON.stringify(reply)).not.toContain(KEY);
  return reply.value;
}

test('the service is asked with the key, which no page gets, at no cost', async () => {
  server.manner = says(200, { links: [], nextCursor: null });
  expect(await call({})).toEqual({ status: 200, body: { links: [], nextCursor: null }, waitSeconds: null });
  expect(server.heard).toMatchObject([
    { method: 'GET', path: '/api/v1/urls?limit=100', headers: { authorization: `Bearer ${KEY}` }, body: '' },
  ]);
  expect(closed).toEqual([baseUrl]);
  expect((await worker.queue()).budget.sends).toEqual([]);
});

test('a service that honors idempotency keys keeps its sockets open', async () => {
  await worker.connect({ ...FULL, baseUrl }, KEY);
  await call({ connectionId: FULL.id });
  expect(closed).toEqual([]);
});

test('a service is asked even if the browser refuses the rule that closes its sockets', async () => {
  refusesRule = true;
  server.manner = says(200, { links: [], nextCursor: null });
  expect(await call({})).toMatchObject({ status: 200 });
});

test('an edit goes as JSON', async () => {
  server.manner = says(200, {});
  await call({ method: 'PATCH', path: 'urls/a', body: { title: null } });
  expect(server.heard).toMatchObject([
    { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"title":null}' },
  ]);
});

describe('what is answered', () => {
  test.each([400, 401, 403, 404, 410, 500, 503])('is passed on with its status: %d', async (status) => {
    server.manner = says(status, { error: 'No.', code: 'x' });
    expect(await call({})).toEqual({ status, body: { error: 'No.', code: 'x' }, waitSeconds: null });
  });

  test('says how long to wait', async () => {
    server.manner = says(429, {}, { 'Retry-After': '7' });
    expect(await call({})).toMatchObject({ status: 429, waitSeconds: 7 });
  });

  test('is nothing where it is no JSON, or has no end', async () => {
    server.manner = says(200, '<html>');
    expect(await call({})).toMatchObject({ status: 200, body: undefined });
    server.manner = says(200, { links: 'x'.repeat(2_000_000) });
    expect(await call({})).toMatchObject({ status: 200, body: undefined });
  });

  test('is not followed where it leads elsewhere', async () => {
    server.manner = says(302, '', { Location: 'https://elsewhere.example/' });
    expect(await call({})).toEqual({ status: 0, problem: 'redirected' });
    expect(server.heard).toHaveLength(1);
  });
});

describe('nobody is asked', () => {
  test('of a connection that is gone', async () => {
    expect(await call({ connectionId: 'gone' })).toEqual({ status: 0, problem: 'no_connection' });
  });

  test('where the connection leads elsewhere by now: another link may have the code there', async () => {
    await worker.connect({ ...SPEC_ONLY, baseUrl: 'https://elsewhere.example' }, KEY);
    expect(await call({ method: 'DELETE', path: 'urls/a', linkId: 'a' })).toMatchObject({ problem: 'no_connection' });
    expect(server.heard).toEqual([]);
  });

  test('where the browser does not allow it', async () => {
    permitted = false;
    expect(await call({})).toEqual({ status: 0, problem: 'permission' });
    expect(server.heard).toEqual([]);
  });

  test('where nobody answers', async () => {
    server.manner = hangsUp;
    expect(await call({})).toEqual({ status: 0, problem: 'unreachable' });
  });
});

describe('a link that is deleted', () => {
  beforeEach(() => addLinks(worker.store, [aLink('a'), aLink('b')]));
  const remove = () => call({ method: 'DELETE', path: 'urls/a', linkId: 'a' });

  test('leaves the history once its service deleted it', async () => {
    deletes(says(204), says(410, { error: 'Gone.', code: 'gone' }));
    expect(await remove()).toMatchObject({ status: 204 });
    expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/v1/urls/a',
      'GET /api/v1/urls/a',
    ]);
    expect(await worker.links()).toEqual(['b']);
  });

  test('leaves the history if the key that deletes may not read', async () => {
    deletes(says(204), says(403, { error: 'No.', code: 'forbidden' }));
    await remove();
    expect(await worker.links()).toEqual(['b']);
  });

  test.each([
    [404, 'not_found'],
    [410, 'gone'],
  ])('leaves the history if its service no longer has it: %d', async (status, code) => {
    server.manner = says(status, { error: 'No.', code });
    await remove();
    expect(await worker.links()).toEqual(['b']);
  });

  test.each([401, 403, 429, 500, 503])('stays where the service did not delete it: %d', async (status) => {
    server.manner = says(status);
    await remove();
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  test.each([
    [404, '<html>'],
    [410, '<html>'],
    [404, { message: 'Not Found' }],
    [404, { error: 'Not found', code: 'gone' }],
    [200, '<html>'],
  ])('stays if something else answers (%#)', async (status, body) => {
    server.manner = says(status, body);
    await remove();
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  test.each([
    [says(204), 'not_understood'],
    [says(200, '<html>'), 'not_understood'],
    [says(404, '<html>'), 'not_understood'],
    [says(302, '', { Location: 'https://elsewhere.example/' }), 'redirected'],
    [hangsUp, 'unreachable'],
  ] as const)('stays if a captive portal answers 204 (%#)', async (read, problem) => {
    deletes(says(204), read);
    expect(await remove()).toEqual({ status: 0, problem });
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  test('stays where nobody answered', async () => {
    server.manner = hangsUp;
    await remove();
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  function deletes(deletion: Manner, read: Manner): void {
    server.manner = (response, request) => (request.method === 'DELETE' ? deletion : read)(response, request);
  }
});
