import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../../src/background/call-service.ts';
import { createRouter } from '../../../src/background/router.ts';
import type { Message, ServiceAnswer } from '../../../src/messages/messages.ts';
import { hangsUp, MisbehavingServer, says } from '../service/misbehaving-server.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { connectionsOver } from './connections-over.ts';
import { SPEC_ONLY, TestWorker } from './worker.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));

const KEY = 'key-secret';
const PAGE = { id: 'abcdefgh', origin: 'chrome-extension://abcdefgh', url: 'chrome-extension://abcdefgh/src/links/' };

let server: MisbehavingServer;
let worker: TestWorker;
let baseUrl: string;
let permitted: boolean;
const closed: string[] = [];

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  worker = new TestWorker();
  baseUrl = await server.start();
  await worker.connect({ ...SPEC_ONLY, baseUrl }, KEY);
  permitted = true;
  closed.length = 0;
});
afterEach(() => server.stop());

const nothing = async () => {};

/** What a page is answered that asks. */
async function call(part: Partial<Call>): Promise<ServiceAnswer> {
  const connections = connectionsOver(worker, {
    permitted: async () => permitted,
    closeConnections: async (address) => void closed.push(address),
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
  expect(closed).toHaveLength(1);
  expect((await worker.queue()).budget.sends).toEqual([]);
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

  test.each([204, 404, 410])('leaves the history once it is gone at the service: %d', async (status) => {
    server.manner = says(status);
    await remove();
    expect(await worker.links()).toEqual(['b']);
  });

  test.each([401, 403, 429, 500, 503])('stays where the service did not delete it: %d', async (status) => {
    server.manner = says(status);
    await remove();
    expect(await worker.links()).toEqual(['a', 'b']);
  });

  test('stays where nobody answered', async () => {
    server.manner = hangsUp;
    await remove();
    expect(await worker.links()).toEqual(['a', 'b']);
  });
});
