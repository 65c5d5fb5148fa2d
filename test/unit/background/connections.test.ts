import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionReport, Message, Reply } from '../../../src/messages/protocol.ts';
import { generatedCode } from '../../../src/queue/sending.ts';
import type { Connection, Queue, QueueState } from '../../../src/queue/types.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { type Connections, connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { created, NOW, refusedAs, serverError, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const DOCUMENT = {
  name: 'Terse',
  version: '1',
  shortBaseUrl: 'https://s.example',
  features: ['key', 'idempotency'],
  refusedTargets: ['own', 'private'],
  maxUrlBytes: 32_768,
};
const BATCHES = { ...DOCUMENT, features: ['idempotency', 'batch', 'item-idempotency'] };
const KEY = {
  name: 'laptop',
  lastFour: 'cdef',
  createdAt: '2026-03-28T09:30:00.000Z',
  throttle: { limit: 2, windowSeconds: 4, remaining: 1, resetSeconds: 0 },
  quota: { limit: 30, windowSeconds: 86_400, remaining: 7, resetSeconds: 60 },
};

type Save = Partial<Message & { type: 'save-connection' }>;

let server: MisbehavingServer;
let baseUrl: string;
let worker: TestWorker;
let connections: Connections;
let permitted: boolean;
let ids: number;

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  baseUrl = await server.start();
  worker = new TestWorker();
  permitted = true;
  ids = 0;
  connections = connectionsOver(worker, {
    newId: () => `connection-${++ids}`,
    permitted: async () => permitted,
    changed: () => {
      worker.changes += 1;
    },
  });
});
afterEach(() => server.stop());

function service(document: Manner, key: Manner = says(200, KEY)) {
  server.manners.set('/api', document).set('/api/v1/key', key);
}
const save = (part: Save = {}): Promise<Reply<ConnectionReport>> =>
  connections.save({ connectionId: null, name: '', baseUrl, apiKey: 'key-abcdef', ...part });

async function saved(part: Save = {}): Promise<string> {
  const reply = await save(part);
  if (!reply.ok || reply.value.connectionId === null)
    throw new Error(`The connection was not saved: ${JSON.stringify(reply)}`);
  return reply.value.connectionId;
}
const queues = () => worker.store.queues();
const state = (id: string, part: Partial<QueueState>) =>
  worker.store.update(id, (queue) => ({ queue: { ...queue, state: { ...queue.state, ...part } }, result: null }));
const apiKey = async (id: string) => (await worker.store.readWithKey(id))?.apiKey;

describe('saving a connection', () => {
  test('stores name, address, key and features, and returns the result', async () => {
    service(says(200, DOCUMENT));
    expect(await save({ baseUrl: `${baseUrl}/`, apiKey: ' key-abcdef ', name: ' Work ' })).toEqual({
      ok: true,
      value: { reached: true, connectionId: 'connection-1', service: DOCUMENT },
    });
    const { version: _, ...kept } = DOCUMENT;
    const [queue] = await queues();
    expect(queue?.connection).toMatchObject({ name: 'Work', baseUrl, lastFour: 'cdef', service: kept });
    expect(queue?.connection.lastSeenWellAt).toBe(NOW);
    expect(await apiKey('connection-1')).toBe('key-abcdef');
    expect(worker.changes).toBe(1);
  });

  test('does not store the last four characters of a short key, but distinguishes another key', async () => {
    service(says(404));
    const connectionId = await saved({ apiKey: 'hunter2' });
    const versions: Connection[] = [];
    for (const apiKey of ['hunter2', 'hunter3']) {
      await save({ connectionId, apiKey });
      versions.push(...(await queues()).map(({ connection }) => connection));
    }
    expect(versions).toMatchObject([{ lastFour: '' }, { lastFour: '', revision: 1 }]);
    expect(versions[0]?.revision).toBeUndefined();
  });

  test('accepts an unreachable service and reports the problem', async () => {
    service(hangsUp);
    const reply = await save();
    expect(reply).toEqual({
      ok: true,
      value: { reached: false, connectionId: 'connection-1', problem: 'unreachable' },
    });
    expect(await queues()).toMatchObject([{ connection: { baseUrl, service: null, lastSeenWellAt: null } }]);
  });

  test('without permission stores nothing and sends nothing', async () => {
    permitted = false;
    expect(await save()).toEqual({ ok: false, code: 'no_permission' });
    expect(await queues()).toEqual([]);
    expect(server.heard).toEqual([]);
  });

  test.each(['', '   ', 'two words', 'ключ', 'line\nbreak', 'x'.repeat(513), null])(
    'rejects a key that is not a valid header value (%j)',
    async (key) => {
      expect(await save({ apiKey: key })).toEqual({ ok: false, code: 'invalid_key' });
      expect(server.heard).toEqual([]);
    },
  );

  test.each(['', 'http://links.example.com', 'ftp://x.example', 'https://me@x.example', 'http//x.example', 'a,b'])(
    'rejects an address like %j',
    async (address) => {
      expect(await save({ baseUrl: address })).toEqual({ ok: false, code: 'invalid_address' });
    },
  );
});

describe('several connections', () => {
  test('coexist, and the first one stays the default until the user changes it', async () => {
    service(says(404));
    const [first, second] = [await saved(), await saved({ apiKey: 'key-second' })];
    expect((await queues()).map(({ connection }) => connection.id)).toEqual([first, second]);
    await connections.setDefault(second);
    expect((await queues()).map(({ connection }) => connection.id)).toEqual([second, first]);
    const third = await saved({ apiKey: 'key-third' });
    expect((await queues())[0]?.connection.id).toBe(second);
    await connections.setDefault(third);
    expect((await queues())[0]?.connection.id).toBe(third);
    expect(await Promise.all([first, second, third].map(apiKey))).toEqual(['key-abcdef', 'key-second', 'key-third']);
  });

  test('have the default that the user chose last, even if two choices arrive at once', async () => {
    service(says(404));
    const all = [await saved(), await saved({ apiKey: 'key-second' }), await saved({ apiKey: 'key-third' })];
    await Promise.all(all.slice(1).map((id) => connections.setDefault(id)));
    expect((await queues())[0]?.connection.id).toBe(all[2]);
  });

  test('with the same key and address are merged', async () => {
    service(says(404));
    expect(await saved({ name: 'Again' })).toBe(await saved());
    expect(await queues()).toHaveLength(1);
  });
});

describe('saving the same key again', () => {
  test('keeps a delay that the service requested, and the quota', async () => {
    service(says(404));
    const id = await saved();
    await worker.accept('request-a');
    await worker.runOut();
    const wait = { until: worker.now + 600_000, reason: 'throttle' as const, named: true };
    await state(id, { wait });
    await save();
    expect(await queues()).toMatchObject([{ state: { wait }, limits: { sends: { length: 1 } } }]);
  });

  test('keeps known features if the service is unreachable, but not with another key or address', async () => {
    service(says(200, DOCUMENT));
    const id = await saved();
    service(hangsUp);
    await save({ connectionId: id, apiKey: null });
    expect((await queues())[0]?.connection.service?.name).toBe('Terse');
    const elsewhere = new MisbehavingServer();
    const address = await elsewhere.start();
    elsewhere.manner = hangsUp;
    await save({ connectionId: id, baseUrl: address, apiKey: 'key-abcdef' });
    expect((await queues())[0]?.connection).toMatchObject({ service: null, lastSeenWellAt: null });
    await elsewhere.stop();
  });
});

test('a key that another connection has is refused, because each of two queues would use the whole quota', async () => {
  service(says(404));
  await saved();
  const other = await saved({ apiKey: 'key-second' });
  expect(await save({ connectionId: other, apiKey: 'key-abcdef' })).toEqual({ ok: false, code: 'already_connected' });
  expect(await apiKey(other)).toBe('key-second');
});

test('saving with the stored key does not restore a key that was replaced during the probe', async () => {
  service(says(404));
  const id = await saved();
  const slow = Promise.withResolvers<void>();
  server.manners.set('/api', async (response, request) => {
    await slow.promise;
    says(404)(response, request);
  });
  const renaming = save({ connectionId: id, name: 'Home', apiKey: null });
  await vi.waitFor(() => expect(server.heard.length).toBeGreaterThan(1));
  server.manners.set('/api', says(404));
  await save({ connectionId: id, apiKey: 'key-new' });
  slow.resolve();
  expect(await renaming).toEqual({ ok: false, code: 'changed_meanwhile' });
  expect(await apiKey(id)).toBe('key-new');
});

describe('another key', () => {
  test('unblocks requests that the old key was refused for, and has a separate quota', async () => {
    service(says(404));
    const id = await saved();
    await worker.accept('request-a');
    worker.send = async (attempt) => refusedAs(attempt, 'unauthorized');
    await worker.runOut();
    expect(await queues()).toMatchObject([{ state: { blocked: 'unauthorized' }, limits: { sends: { length: 1 } } }]);
    await save({ connectionId: id, apiKey: 'key-second' });
    expect(await queues()).toMatchObject([
      { connection: { id }, state: { blocked: null }, limits: { sends: [] }, requests: [{ state: 'waiting' }] },
    ]);
    expect(await apiKey(id)).toBe('key-second');
  });

  test('leaves unanswered requests to the user, because this key cannot look them up', async () => {
    service(says(200, BATCHES));
    const id = await saved();
    await worker.accept('request-a');
    worker.send = async (attempt) => serverError(attempt);
    await worker.runner.run();
    expect(await worker.requests(id)).toMatchObject([{ state: 'unknown' }]);
    await save({ connectionId: id, apiKey: 'key-second' });
    expect(await queues()).toMatchObject([{ requests: [{ state: 'uncertain' }] }]);
  });
});

describe('the stored key', () => {
  let id: string;
  beforeEach(async () => {
    service(says(200, DOCUMENT));
    id = await saved();
  });

  test('is reused with its own address', async () => {
    expect(await save({ connectionId: id, apiKey: null })).toMatchObject({ value: { reached: true } });
    expect(server.heard.at(-1)?.headers.authorization).toBe('Bearer key-abcdef');
  });

  test("is never sent to another address, port or path, and neither is another connection's key", async () => {
    const stranger = new MisbehavingServer();
    const strange = await stranger.start();
    stranger.manners.set('/api', says(200, DOCUMENT));
    const other = await saved({ baseUrl: strange, apiKey: 'key-strange' });
    stranger.heard.length = 0;
    for (const [connectionId, address] of [
      [id, strange],
      [id, `${baseUrl}/elsewhere`],
      [other, baseUrl],
      [null, baseUrl],
    ] as const) {
      expect(await save({ connectionId, baseUrl: address, apiKey: null })).toEqual({ ok: false, code: 'invalid_key' });
    }
    expect(stranger.heard).toEqual([]);
    await stranger.stop();
  });
});

test('a save unblocks the queue, unless the key may not create links', async () => {
  service(says(200, DOCUMENT));
  const id = await saved();
  service(says(200, DOCUMENT), says(200, { ...KEY, scopes: ['read'] }));
  const blocked = async () => (await queues())[0]?.state.blocked;
  await state(id, { blocked: 'forbidden' });
  expect(await save({ connectionId: id, apiKey: null })).toEqual({ ok: false, code: 'key_forbidden' });
  expect(await blocked()).toBe('forbidden');
  service(says(200, DOCUMENT));
  await save({ connectionId: id, apiKey: null });
  expect(await blocked()).toBeNull();
});

describe('two connections with one key', () => {
  let stranger: MisbehavingServer;
  let strange: string;
  beforeEach(async () => {
    stranger = new MisbehavingServer();
    strange = await stranger.start();
  });
  afterEach(() => stranger.stop());

  test('can be saved and renamed if their services differ', async () => {
    service(says(200, DOCUMENT));
    stranger.manners.set('/api', says(200, { ...DOCUMENT, shortBaseUrl: 'https://other.example' }));
    const one = await saved();
    const other = await saved({ baseUrl: strange });
    expect(other).not.toBe(one);
    expect(await save({ connectionId: one, name: 'Renamed' })).toMatchObject({ ok: true });
  });
});

describe('deleting a connection', () => {
  let first: string;
  let second: string;
  const find = async (id: string): Promise<Queue | undefined> =>
    (await queues()).find(({ connection }) => connection.id === id);

  /** Adds a link, an unanswered request and a waiting request to the connection that the test removes. */
  beforeEach(async () => {
    service(says(200, BATCHES));
    first = await saved();
    second = await saved({ apiKey: 'key-second' });
    await worker.accept('request-link');
    await worker.runOut();
    await worker.accept('request-open');
    worker.send = async (attempt) => serverError(attempt);
    worker.pass(5_000);
    await worker.runner.run();
    await worker.accept('request-waits');
    worker.send = async ({ requestIds }) => created(requestIds);
  });

  test('cancels its requests, deletes its key and queue, and keeps its links without a connection', async () => {
    const sends = worker.sent.length;
    await connections.forget(first);
    expect(await find(first)).toBeUndefined();
    expect(await apiKey(first)).toBeUndefined();
    expect(await find(second)).toMatchObject({ requests: [] });
    expect(await readLinks()).toMatchObject([{ id: 'request-link', connectionId: null }]);
    const third = await saved({ apiKey: 'key-third' });
    expect(await find(third)).toMatchObject({ requests: [] });
    await worker.runOut();
    expect(worker.sent).toHaveLength(sends);
  });
});

test('a connection that is being added while all data is deleted is not stored', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  service((response, request) => {
    asked.resolve();
    void answer.promise.then(() => says(200, DOCUMENT)(response, request));
  });
  const saving = save();
  await asked.promise;
  await worker.store.deleteEverything();
  answer.resolve();
  expect(await saving).toEqual({ ok: false, code: 'changed_meanwhile' });
  expect(await queues()).toEqual([]);
  service(says(200, DOCUMENT));
  expect(await save()).toMatchObject({ ok: true });
});

describe('short codes', () => {
  const codes = { alphabet: 'abcdefgh', length: 3 };
  const features = [...DOCUMENT.features, 'idempotency', 'links', 'chosen-codes'];

  test("are read with the service's features and generated for waiting requests", async () => {
    service(says(200, { ...DOCUMENT, features, codes }));
    const first = await saved();
    await worker.shorten({ id: 'request-a' }, { connectionId: first });
    const [queue] = await queues();
    expect(queue?.connection.service?.codes).toEqual(codes);
    expect(queue?.requests.map((request) => generatedCode(request, queue.connection))).toEqual([
      expect.stringMatching(/^[a-h]{3}$/),
    ]);
  });
});
