import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionReport, Reply } from '../../../src/messages/protocol.ts';
import { isUnlimited } from '../../../src/queue/limits.ts';
import { mergeListedLinks, removeUnlisted } from '../../../src/storage/links.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { FakeKutt } from '../servers/fakes/fake-kutt.ts';
import { FakeTerse } from '../servers/fakes/fake-terse.ts';
import { FakeYourls } from '../servers/fakes/fake-yourls.ts';
import { type Connections, connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { FULL, NOW, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let worker: TestWorker;
let kutt: FakeKutt;
let connections: Connections;

beforeEach(async () => {
  freshDisk();
  kutt = new FakeKutt();
  await kutt.start();
  worker = new TestWorker();
  let ids = 0;
  connections = connectionsOver(worker, { newId: () => `c${++ids}` });
});
afterEach(() => kutt.stop());

type Part = Partial<Parameters<Connections['save']>[0]>;
const save = (part: Part = {}) =>
  connections.save({ connectionId: null, name: '', baseUrl: kutt.baseUrl, apiKey: kutt.apiKey, ...part });
const saved = async () => (await worker.store.queues()).map(({ connection }) => connection);
const idOf = (reply: Reply<ConnectionReport>) => (reply.ok ? reply.value.connectionId : null);

describe('the kind of a connection', () => {
  test('is detected, stored and reported', async () => {
    expect(await save()).toMatchObject({ ok: true, value: { reached: true, service: { name: 'Kutt' } } });
    expect(await saved()).toMatchObject([{ kind: 'kutt', service: { name: 'Kutt' } }]);
    const [queue] = await worker.store.queues();
    expect(isUnlimited(queue?.limits.perDay ?? 0)).toBe(true);
    expect(kutt.links).toEqual([]);
  });

  test('is not stored for a Terse server, as in earlier versions', async () => {
    const terse = new FakeTerse();
    await terse.start();
    const reply = await save({ baseUrl: terse.baseUrl, apiKey: terse.apiKey });
    expect(reply).toMatchObject({ value: { service: { name: 'Terse' } } });
    expect((await saved())[0]).not.toHaveProperty('kind');
    await terse.stop();
  });

  test('that the user chose is used without detection', async () => {
    const { heard } = kutt;
    expect(await save({ kind: 'yourls' })).toMatchObject({ ok: true });
    expect(await saved()).toMatchObject([{ kind: 'yourls', isKindChosen: true }]);
    expect(heard.map(({ path }) => path)).not.toContain('/rest/health');
    expect(await saved()).toMatchObject([{ kind: 'yourls', isKindChosen: true, service: null }]);
    // The user turns automatic detection on again.
    await save({ connectionId: idOf(await save({ kind: 'yourls' })), kind: null });
    expect(await saved()).toMatchObject([{ kind: 'kutt' }]);
    expect((await saved())[0]).not.toHaveProperty('isKindChosen');
  });

  test('is kept while the server cannot be reached', async () => {
    const connectionId = idOf(await save());
    await kutt.stop();
    expect(await save({ connectionId, name: 'New', apiKey: null })).toMatchObject({ ok: true });
    expect(await saved()).toMatchObject([{ kind: 'kutt', name: 'New', service: { name: 'Kutt' } }]);
    kutt = new FakeKutt();
    await kutt.start();
  });

  test('is detected again if the address changes', async () => {
    const connectionId = idOf(await save());
    const yourls = new FakeYourls();
    await yourls.start();
    await save({ connectionId, baseUrl: yourls.baseUrl, apiKey: yourls.apiKey });
    expect(await saved()).toMatchObject([{ kind: 'yourls', service: { name: 'YOURLS' } }]);
    await yourls.stop();
  });

  test('is detected with a wrong key too, and the connection is refused', async () => {
    expect(await save({ apiKey: 'wrong-0123456789' })).toEqual({ ok: false, code: 'key_refused' });
    expect(await saved()).toEqual([]);
  });
});

test("a connection's domain and limits are stored until the user clears them", async () => {
  const limits = { perSecond: 2, perDay: null };
  const connectionId = idOf(await save({ domain: 'go.example', limits }));
  expect(await saved()).toMatchObject([{ domain: 'go.example', limits }]);
  expect((await worker.store.queues())[0]?.limits.gapMs).toBe(500);
  await save({ connectionId, domain: null, limits: null });
  const [connection] = await saved();
  expect([connection?.domain, connection?.limits]).toEqual([undefined, undefined]);
});

test('links with the same code on two domains are stored as two links', async () => {
  const connection = { ...FULL, kind: 'kutt' as const };
  await worker.connect(connection);
  const listed = (host: string) => ({
    shortCode: 'x',
    shortUrl: `https://${host}/x`,
    url: `https://long.example/${host}`,
    title: null,
    createdAt: NOW,
    expiresAt: null,
    clicks: 0,
  });
  await worker.store.writeLinks((transaction) =>
    mergeListedLinks(transaction, connection, [listed('one.example'), listed('two.example')], NOW),
  );
  expect((await readLinks()).map(({ shortUrl }) => shortUrl).toSorted()).toEqual([
    'https://one.example/x',
    'https://two.example/x',
  ]);
  const seen = { keys: new Set(['two.example/x']), startedAt: NOW + 1, oldest: null };
  await worker.store.writeLinks((transaction) => removeUnlisted(transaction, connection, seen));
  expect((await readLinks()).map(({ shortUrl }) => shortUrl)).toEqual(['https://two.example/x']);
});
