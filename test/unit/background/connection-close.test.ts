import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeNetworkConnections, probeConnection, resetRules } from '../../../src/background/probe-connection.ts';
import type { Connection } from '../../../src/queue/types.ts';
import { type Manner, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, resetBrowser } from '../support/fake-browser.ts';
import { FULL, NOW, SPEC_ONLY, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const IDEMPOTENT = { name: 'Full', version: '1', shortBaseUrl: 'https://s.example', features: ['idempotency'] };
const PLAIN = { ...IDEMPOTENT, features: [] };

const { declarativeNetRequest } = browser;
let server: MisbehavingServer;
let baseUrl: string;
/** Number of rules at the time of each request to the server. */
let rulesAtRequests: number[];

const filters = async () => (await declarativeNetRequest.getDynamicRules()).map(({ condition }) => condition.urlFilter);

beforeEach(async () => {
  freshDisk();
  resetBrowser();
  server = new MisbehavingServer();
  baseUrl = await server.start();
  rulesAtRequests = [];
});
afterEach(() => server.stop());

const recordingFetch: typeof fetch = async (...request) => {
  rulesAtRequests.push((await filters()).length);
  return fetch(...request);
};

function connectTo(document: Manner) {
  server.manners.set('/api', document);
  const connections = connectionsOver(new TestWorker(), { fetch: recordingFetch });
  return connections.save({ connectionId: null, name: '', baseUrl, apiKey: 'key-abcdef' });
}

test('a server is first called with `Connection: close`, which affects only requests of the extension', async () => {
  expect(await connectTo(says(404))).toMatchObject({ ok: true, value: { reached: true } });
  expect(new Set(rulesAtRequests)).toEqual(new Set([1]));
  expect(await declarativeNetRequest.getDynamicRules()).toEqual([
    {
      id: expect.any(Number),
      action: { type: 'modifyHeaders', requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }] },
      condition: {
        urlFilter: `|${baseUrl}/`,
        initiatorDomains: ['abcdefgh'],
        resourceTypes: ['xmlhttprequest', 'other'],
      },
    },
  ]);
});

test('a server is not called and not saved if the browser refuses the rule', async () => {
  declarativeNetRequest.updateDynamicRules.mockRejectedValue(new Error('too many rules'));
  const worker = new TestWorker();
  const connections = connectionsOver(worker);
  const refused = { ok: false, code: 'unprotected' };
  expect(await connectTo(says(404))).toEqual(refused);
  expect(await connections.save({ connectionId: null, name: '', baseUrl, apiKey: 'key-abcdef' })).toEqual(refused);
  expect(await worker.store.queues()).toEqual([]);
  expect(await probe(SPEC_ONLY)).toBeNull();
  expect(server.heard).toEqual([]);
  declarativeNetRequest.updateDynamicRules.mockReset();
  expect(await connectTo(says(404))).toMatchObject({ ok: true });
});

function probe(connection: Connection) {
  return probeConnection(recordingFetch, { connection: { ...connection, baseUrl }, baseUrl, apiKey: 'key', now: NOW });
}

test('a server that lost idempotency keys is called again with the rule, which closes the network connection', async () => {
  server.manners.set('/api', says(200, PLAIN));
  expect(await probe(FULL)).toMatchObject({ service: { features: [] } });
  expect(rulesAtRequests).toEqual([0, 1]);
});

test('each origin has one rule, until its connections are removed', async () => {
  const urls = ['https://a.example', 'https://b.example/x', 'https://a.example/y', 'https://b.example:8443'];
  expect(await Promise.all(urls.map(closeNetworkConnections))).toEqual([true, true, true, true]);
  expect((await filters()).sort()).toEqual(['|https://a.example/', '|https://b.example/', '|https://b.example:8443/']);
  await resetRules(['https://b.example', 'https://c.example/x', 'https://c.example/y']);
  expect((await filters()).sort()).toEqual(['|https://b.example/', '|https://c.example/']);
});

test('a server keeps its rule if another server with idempotency keys has the same origin', async () => {
  server.manners.set('/a/api', says(404)).set('/b/api', says(200, IDEMPOTENT));
  const connections = connectionsOver(new TestWorker(), { fetch: recordingFetch, newId: () => crypto.randomUUID() });
  for (const path of ['/a', '/b'])
    expect(
      await connections.save({ connectionId: null, name: '', baseUrl: baseUrl + path, apiKey: `key-abcdef${path}` }),
    ).toMatchObject({ ok: true });
  expect(await filters()).toEqual([`|${baseUrl}/`]);
});
