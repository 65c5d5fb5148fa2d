import { beforeEach, describe, expect, test, vi } from 'vitest';
import { previewImport } from '../../../src/import-export/compare-with-stored-data.ts';
import type { Contents } from '../../../src/import-export/import-limits-and-errors.ts';
import { exportData } from '../../../src/import-export/json-export.ts';
import { readFile } from '../../../src/import-export/read-import-file.ts';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import type { Connection, Link } from '../../../src/queue/types.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { readVisibleLinks, readVisibleQueues } from '../../../src/storage/load-page-data.ts';
import { mergeListedLinks } from '../../../src/storage/merge-service-links.ts';
import { saveImport } from '../../../src/storage/save-import.ts';
import { DEFAULT_SETTINGS } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { created, FULL, lost, NOW, refusedAs, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

/** Both services issue short URLs on their own hosts. */
const FIRST: Connection = { ...FULL, baseUrl: 'https://s.example' };
const SECOND: Connection = {
  ...FULL,
  id: 'd',
  name: 'Work',
  baseUrl: 'https://b.example',
  service: { name: 'Second', shortBaseUrl: 'https://b.example', features: ['idempotency'] },
  preferredAt: 0,
};
const createdAt = (baseUrl: string, ids: string[]) => {
  const items = ids.map((id) => ({ kind: 'created' as const, shortUrl: `${baseUrl}/${id}` }));
  return { ...created(ids), items };
};
const SETTINGS = { ...DEFAULT_SETTINGS, theme: 'dark', shortenOnOpen: true } as const;

async function exported(): Promise<string> {
  const [queues, links] = await Promise.all([readVisibleQueues(false, NOW), readVisibleLinks(false)]);
  return exportData({ queues, links, settings: SETTINGS }, NOW);
}

async function imported(json: string) {
  const read = await readFile(new Blob([json]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  const { contents } = read;
  const plan = await preview(contents);
  return { contents, plan, added: await saveImport((here) => previewImport(contents, here).imported) };
}

async function preview(contents: Contents) {
  const [{ queues, unassigned }, links] = await Promise.all([readVisibleQueues(false, NOW), readVisibleLinks(false)]);
  const requests = [...queues.flatMap((queue) => queue.requests), ...unassigned];
  return previewImport(contents, { connections: queues.map(({ connection }) => connection), requests, links });
}

async function everything() {
  const database = await openDatabase();
  const all = await everythingOnDisk(database);
  database.close();
  return all;
}

const byId = (links: Link[]) => links.toSorted((one, other) => one.id.localeCompare(other.id));

let worker: TestWorker;

/** Fills a browser with two connections, a link of each, and a waiting, a failed and an unanswered request. */
beforeEach(async () => {
  freshDisk();
  worker = new TestWorker();
  await worker.connect(FIRST);
  await worker.connect(SECOND);
  worker.send = async ({ requestIds }, { baseUrl }) => createdAt(baseUrl, requestIds);
  await worker.accept('made');
  await worker.shorten({ id: 'other' }, { connectionId: 'd' });
  await worker.runOut();
  worker.send = async (attempt) => lost(attempt);
  await worker.accept('unanswered');
  await worker.runner.run();
  worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
  await worker.shorten({ id: 'failed' }, { connectionId: 'd' });
  await worker.runOut();
  await worker.accept('waits');
});

describe('an export', () => {
  test('contains everything except API keys and private data', async () => {
    await worker.shorten({ id: 'hidden' }, { private: true });
    const json = await exported();
    expect(JSON.parse(json)).toMatchObject({
      format: 'terse-export',
      version: 1,
      settings: SETTINGS,
      connections: [
        { id: 'c', baseUrl: 'https://s.example' },
        { id: 'd', name: 'Work' },
      ],
    });
    const ids = JSON.parse(json).requests.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual(['failed', 'unanswered', 'waits']);
    expect(json).not.toMatch(/key-c|key-d|abcd|hidden/);
  });
});

describe('an import in another browser', () => {
  test('restores the kind, domain and limits that the user set for a server', async () => {
    const settings = {
      kind: 'shlink',
      isKindChosen: true,
      domain: 'go.example',
      limits: { perSecond: 2, perDay: null },
    };
    await worker.connect({ ...SECOND, ...settings } as Connection);
    const json = await exported();
    freshDisk();
    await imported(json.replace('"isKindChosen": true', '"isKindChosen": "perhaps"'));
    const stored = (await new TestWorker().store.queues()).map(({ connection }) => connection);
    const { isKindChosen: _, ...kept } = settings;
    expect(stored.find(({ id }) => id === 'd')).toMatchObject(kept);
    expect(stored.filter((one) => 'isKindChosen' in one)).toEqual([]);
  });

  test('ignores a daily limit that is not a whole number', async () => {
    await worker.connect({ ...SECOND, kind: 'kutt', limits: { perSecond: null, perDay: 5 } } as Connection);
    const json = await exported();
    freshDisk();
    await imported(json.replace('"perDay": 5', '"perDay": 0.5'));
    const stored = (await new TestWorker().store.queues()).map(({ connection }) => connection);
    expect(stored.find(({ id }) => id === 'd')).not.toHaveProperty('limits');
  });

  test('restores everything, connections need their keys, and nothing is sent automatically', async () => {
    const links = await readVisibleLinks(false);
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    const { added, contents } = await imported(json);
    expect(added).toEqual({ connections: 2, requests: 3, links: 2 });
    expect(contents.settings).toEqual(SETTINGS);
    // Imported links belong to no connection until a server lists them.
    const withoutConnection = links.map((link) => ({ ...link, connectionId: null }));
    expect(byId(await readVisibleLinks(false))).toEqual(byId(withoutConnection));

    await elsewhere.runOut();
    expect([elsewhere.sent, elsewhere.probed]).toEqual([[], []]);
    const [first, second] = await elsewhere.store.queues();
    expect([first, second].map((queue) => [queue?.connection.id, queue?.state.halt])).toEqual([
      ['c', 'key_missing'],
      ['d', 'key_missing'],
    ]);
    const states = [first, second].flatMap((queue) => queue?.requests.map(({ id, state }) => [id, state]));
    expect(states.toSorted()).toEqual([
      ['failed', 'undecided'],
      ['unanswered', 'undecided'],
      ['waits', 'undecided'],
    ]);
  });

  test('keeps the tags of links and requests', async () => {
    await addLinks(worker.store, [aLink('tagged', { tags: ['birds', 'long reads'] })]);
    const service = { name: 'Terse', shortBaseUrl: 'https://s.example', features: ['links', 'tags'] };
    await worker.connect({ ...FIRST, service });
    await worker.shorten({ id: 'asked' }, { options: { ...NO_OPTIONS, tags: ['birds'] } });
    const json = await exported();
    const file = JSON.parse(json);
    freshDisk();
    await imported(json);
    const tagsOf = async () => {
      const [links, { queues }] = await Promise.all([readVisibleLinks(false), readVisibleQueues(false, NOW)]);
      const requests = queues.flatMap((queue) => queue.requests);
      const [link, request] = ['tagged', 'asked'].map((id) => [...links, ...requests].find((one) => one.id === id));
      return [link && 'tags' in link && link.tags, request && 'options' in request && request.options.tags];
    };
    expect(await tagsOf()).toEqual([['birds', 'long reads'], ['birds']]);

    // Invalid tags do not lose the link.
    for (const link of file.links) link.tags = [1];
    freshDisk();
    await imported(JSON.stringify(file));
    expect(await tagsOf()).toEqual([false, ['birds']]);
  });

  test('reads times with leap seconds and lowercase letters', async () => {
    const file = JSON.parse(await exported());
    const leap = '2016-12-31t23:59:60z';
    for (const link of file.links) Object.assign(link, { createdAt: leap, expiresAt: leap });
    for (const request of file.requests)
      Object.assign(request, { createdAt: leap, options: { ...request.options, expiresAt: leap } });
    freshDisk();
    await imported(JSON.stringify(file));
    const after = Date.UTC(2017, 0, 1);
    const [links, queues] = await Promise.all([readVisibleLinks(false), readVisibleQueues(false, NOW)]);
    expect(links.map(({ createdAt, expiresAt }) => [createdAt, expiresAt])).toEqual(links.map(() => [after, after]));
    expect(links).toHaveLength(2);
    const requests = queues.queues.flatMap((queue) => queue.requests);
    expect(requests.map(({ options }) => options.expiresAt)).toEqual(requests.map(() => '2017-01-01T00:00:00.000Z'));
    expect(requests.map(({ createdAt }) => Math.floor(createdAt))).toEqual([after, after, after]);
  });

  test('distinguishes links from other browsers from links of this browser', async () => {
    await addLinks(worker.store, [aLink('c/a', { elsewhere: true, isRestricted: true })]);
    const json = await exported();
    freshDisk();
    await imported(json);
    const marked = (await readVisibleLinks(false)).filter(({ elsewhere }) => elsewhere);
    expect(marked).toMatchObject([{ id: 'c/a', isRestricted: true }]);
  });

  test('makes connections work again with their keys, and sends uncertain requests only if the user decides', async () => {
    const keys = new Map((await worker.requests()).map(({ id, idempotencyKey }) => [id, idempotencyKey]));
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    await imported(json);
    const fetch = async () => new Response('', { status: 404 });
    const connections = connectionsOver(elsewhere, { fetch });
    const saved = await connections.save({ connectionId: 'c', name: '', baseUrl: FIRST.baseUrl, apiKey: 'new-key' });
    expect(saved.ok).toBe(true);
    await elsewhere.runOut();
    expect(elsewhere.sent).toEqual([]);
    await elsewhere.commands.retry('waits');
    await elsewhere.runOut();
    expect(
      elsewhere.sent.map(({ requestIds, idempotencyKey, apiKey }) => [requestIds, idempotencyKey, apiKey]),
    ).toEqual([[['waits'], keys.get('waits'), 'new-key']]);
  });

  test('merges connections with the same address', async () => {
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    await elsewhere.connect({ ...FIRST, id: 'mine' }, 'my-key');
    const { added } = await imported(json);
    expect(added.connections).toBe(1);
    const queues = await elsewhere.store.queues();
    expect(queues.map(({ connection }) => connection.id)).toEqual(['mine', 'd']);
    expect(queues[0]?.requests.map(({ id }) => id).toSorted()).toEqual(['unanswered', 'waits']);
    expect(queues[0]?.state.halt).toBeNull();
    const links = await readVisibleLinks(false);
    expect(links.map(({ id, connectionId }) => [id, connectionId]).toSorted()).toEqual([
      ['made', null],
      ['other', null],
    ]);
    expect((await everything()).secrets).toEqual([['mine', 'my-key']]);
  });
});

test.each([FIRST, { ...FIRST, service: null }])(
  "an imported short URL on a connection's own host is not offered for any page",
  async (here) => {
    const file = JSON.parse(await exported());
    const forged = [
      { id: 'never-made', url: 'https://bank.example/', shortUrl: 'https://s.example/never-made' },
      { id: 'host', url: 'https://shop.example/', shortUrl: 'https://s.example/' },
      { id: 'strange', url: 'https://mail.example/', shortUrl: 'https://evil.example/x' },
    ];
    file.links = forged.map((part) => ({ ...file.links[0], ...part, shortCode: 'x' }));
    freshDisk();
    const elsewhere = new TestWorker();
    await elsewhere.connect(here);
    await imported(JSON.stringify(file));
    for (const { id, url } of forged)
      expect(await elsewhere.shorten({ id: `new-${id}`, url })).toMatchObject({
        ok: true,
        value: { requestIds: [`new-${id}`], existing: [] },
      });
  },
);

describe('an imported file cannot change the data of another service', () => {
  test("if a connection has the same id as another service's connection, which becomes a new connection once", async () => {
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    await elsewhere.connect({ ...FULL, id: 'c', baseUrl: 'https://other.example' }, 'my-key');
    expect((await imported(json)).added).toEqual({ connections: 2, requests: 3, links: 2 });
    expect((await imported(json)).added).toEqual({ connections: 0, requests: 0, links: 0 });
    const queues = await elsewhere.store.queues();
    const found = queues.map(({ connection: { id, baseUrl }, requests }) => [id, baseUrl, requests.length]);
    expect(found).toEqual([
      ['c', 'https://other.example', 0],
      ['c@https://s.example', 'https://s.example', 2],
      ['d', 'https://b.example', 1],
    ]);
  });

  test('if a connection is deleted during the preview', async () => {
    const file = JSON.parse(await exported());
    file.connections = file.connections.slice(0, 1);
    file.links.push({
      ...file.links[0],
      id: 'new',
      connectionId: 'd',
      shortUrl: 'https://b.example/new',
      shortCode: 'new',
    });
    file.requests = [{ ...file.requests[0], id: 'asked', idempotencyKey: 'asked' }];
    const read = await readFile(new Blob([JSON.stringify(file)]), NOW);
    if ('problem' in read) throw new Error(read.problem);
    const { imported: shown } = await preview(read.contents);
    expect(shown.requests.map(({ connectionId }) => connectionId)).toEqual(['c']);
    await connectionsOver(worker).forget({ connectionId: 'd', waiting: 'drop' });
    await connectionsOver(worker).forget({ connectionId: 'c', waiting: 'drop' });
    const added = await saveImport((here) => previewImport(read.contents, here).imported);
    expect(added).toMatchObject({ connections: 1, links: 1, requests: 1 });
    const [links, { queues, unassigned }] = await Promise.all([readVisibleLinks(false), readVisibleQueues(false, NOW)]);
    expect(links.find(({ id }) => id === 'new')).toMatchObject({ connectionId: null });
    expect(queues.map(({ connection, requests }) => [connection.id, requests.length])).toEqual([['c', 1]]);
    expect(unassigned).toEqual([]);
  });
});

describe('a connection from the same file does not make its links trusted', () => {
  /**
   * Imports a file with a connection to `https://evil.example` and one of its links into a browser without
   * connections.
   */
  async function attacked() {
    const file = JSON.parse(await exported());
    const [connection, link] = [file.connections[0], file.links[0]];
    file.connections = [{ ...connection, id: 'evil', baseUrl: 'https://evil.example' }];
    const forged = { id: 'forged', connectionId: 'evil', shortUrl: 'https://evil.example/x', shortCode: 'x' };
    file.links = [{ ...link, ...forged, url: 'https://bank.example/' }];
    file.requests = [];
    freshDisk();
    const elsewhere = new TestWorker();
    // Without an API key, because the connection was imported from a file.
    await imported(JSON.stringify({ ...file, links: [] }));
    await imported(JSON.stringify(file));
    return elsewhere;
  }
  const forgedLink = async () => (await readVisibleLinks(false)).find(({ id }) => id === 'forged');
  const ofNobody = { connectionId: null };

  test('so no page offers them', async () => {
    const elsewhere = await attacked();
    expect(await forgedLink()).toMatchObject(ofNobody);
    const asked = await elsewhere.shorten({ id: 'new', url: 'https://bank.example/' });
    expect(asked).toMatchObject({ ok: true, value: { requestIds: ['new'], existing: [] } });
  });

  test('so they lose their connection if it is deleted or gets another address', async () => {
    const forgetting = await attacked();
    await connectionsOver(forgetting).forget({ connectionId: 'evil', waiting: 'drop' });
    expect(await forgedLink()).toMatchObject(ofNobody);
    const moving = connectionsOver(await attacked(), { fetch: async () => new Response('', { status: 404 }) });
    await moving.save({ connectionId: 'evil', name: '', baseUrl: 'https://good.example', apiKey: 'new-key' });
    expect(await forgedLink()).toMatchObject(ofNobody);
  });
});

test('an imported link is offered again only after its service has listed it', async () => {
  const json = await exported();
  const made = (await readVisibleLinks(false)).find(({ id }) => id === 'made') as Link;
  freshDisk();
  const elsewhere = new TestWorker();
  await imported(json);
  const connections = connectionsOver(elsewhere, { fetch: async () => new Response('', { status: 404 }) });
  await connections.save({ connectionId: 'c', name: '', baseUrl: FIRST.baseUrl, apiKey: 'new-key' });
  const { connection } = await elsewhere.queue();
  const database = await openDatabase();
  const { shortCode, shortUrl, title, createdAt, expiresAt } = made;
  const listed = { shortCode, shortUrl, title, createdAt, expiresAt, clicks: 1 };
  const again = (id: string) => elsewhere.shorten({ id, url: made.url }, { connectionId: 'c' });
  const other = { ...listed, shortCode: 'b', shortUrl: 'https://s.example/b', url: made.url };
  await mergeListedLinks(database, connection, [other], Date.now());
  expect(await again('first')).toMatchObject({ ok: true, value: { existing: [{ shortUrl: 'https://s.example/b' }] } });
  await mergeListedLinks(database, connection, [{ ...listed, url: made.url }], Date.now());
  database.close();
  expect((await readVisibleLinks(false)).find(({ id }) => id === 'made')).toMatchObject({
    connectionId: 'c',
    clicks: 1,
  });
});

test('a request that became a link in its original browser ends here with that link', async () => {
  const before = await exported();
  worker.send = async ({ requestIds }) => created(requestIds);
  await worker.runOut();
  const after = await exported();
  freshDisk();
  const elsewhere = new TestWorker();
  await imported(before);
  expect((await elsewhere.requests()).find(({ id }) => id === 'waits')).toMatchObject({ state: 'undecided' });
  const { added } = await imported(after);
  expect(added.links).toBeGreaterThan(0);
  expect(await elsewhere.links()).toContain('waits');
  expect((await elsewhere.requests()).map(({ id }) => id)).not.toContain('waits');
});

test('an import ends no request that is still retried automatically, and no request for another page', async () => {
  const file = JSON.parse(await exported());
  const forged = { shortUrl: 'https://s.example/forged', shortCode: 'forged' };
  const asked = await worker.requests();
  const { url } = asked.find(({ id }) => id === 'waits') ?? {};
  file.links = [
    { ...file.links[0], ...forged, id: 'waits', url },
    { ...file.links[0], ...forged, id: 'failed', url: 'https://bank.example/' },
  ];
  expect((await imported(JSON.stringify(file))).added).toEqual({ connections: 0, requests: 0, links: 0 });
  expect(await worker.requests()).toEqual(asked);
  expect((await worker.requests('d')).map(({ id }) => id)).toEqual(['failed']);
});

test('an import ends no request of a list, because a list shows its results together', async () => {
  worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
  await worker.shorten({ id: 'listed', url: 'https://x.example/listed' }, { groupId: 'group', connectionId: 'd' });
  await worker.runOut();
  const file = JSON.parse(await exported());
  file.links = [
    {
      ...file.links[0],
      id: 'listed',
      url: 'https://x.example/listed',
      shortUrl: 'https://b.example/l',
      shortCode: 'l',
    },
  ];
  expect((await imported(JSON.stringify(file))).added.links).toBe(0);
  expect((await worker.requests('d')).map(({ id }) => id)).toContain('listed');
});

test('of two requests with one idempotency key only one is kept, because the service would answer both with the same link', async () => {
  const file = JSON.parse(await exported());
  const [request] = file.requests;
  const forged = { ...request, id: 'forged', url: 'https://bank.example/' };
  file.requests.push(forged);
  const { contents } = await imported(JSON.stringify(file));
  expect(contents.leftOut).toEqual([{ list: 'requests', entry: 4, reason: 'twice' }]);
  // The same rule applies if the browser already has the first request.
  file.requests = [forged];
  expect((await imported(JSON.stringify(file))).added.requests).toBe(0);
  expect((await worker.requests()).map(({ id }) => id)).not.toContain('forged');
});

test('an import contains no future dates, which would put links at the top of every list', async () => {
  const file = JSON.parse(await exported());
  for (const one of [...file.links, ...file.requests]) one.createdAt = '9999-12-31T00:00:00Z';
  freshDisk();
  await imported(JSON.stringify(file));
  const [links, { queues }] = await Promise.all([readVisibleLinks(false), readVisibleQueues(false, NOW)]);
  const dates = [...links, ...queues.flatMap(({ requests }) => requests)].map(({ createdAt }) => Math.floor(createdAt));
  expect(dates).toEqual(Array(5).fill(NOW));
});

test.each([
  ['a short code that is invalid for its service', { generatedCode: '../../elsewhere?x' }],
  ['a password in a URL', { url: 'https://me:secret@x.example/' }],
  ['a URL that is not a web URL', { url: 'about:reader?url=https%3A%2F%2Fx.example%2F' }],
  ['an idempotency key that is not a valid header value', { idempotencyKey: 'key\n1' }],
])('an imported file cannot contain %s', async (_what, part) => {
  const file = JSON.parse(await exported());
  Object.assign(file.requests[0], part);
  freshDisk();
  const { added, contents } = await imported(JSON.stringify(file));
  expect(added.requests).toBe(2);
  expect(contents.leftOut).toEqual([{ list: 'requests', entry: 1, reason: 'broken_entry' }]);
});

test('an import in the original browser, or a second import, changes nothing', async () => {
  const json = await exported();
  const before = await everything();
  const { added, plan } = await imported(json);
  expect(added).toEqual({ connections: 0, requests: 0, links: 0 });
  expect(plan.alreadyHere).toBe(7);
  expect(await everything()).toEqual(before);
});

test('a request that has become a link since is not imported', async () => {
  const json = await exported();
  worker.send = async ({ requestIds }) => created(requestIds);
  await worker.runOut();
  expect(await worker.links()).toContain('waits');
  const { added } = await imported(json);
  expect(added.requests).toBe(0);
});

test('a background with loaded queues notices imported requests', async () => {
  const json = await exported();
  await worker.commands.cancel(['waits']);
  expect((await worker.requests()).map(({ id }) => id)).not.toContain('waits');
  await imported(json);
  expect((await worker.requests()).map(({ id }) => id)).toContain('waits');
});

test('invalid entries are left out one by one, and the others are imported', async () => {
  const file = JSON.parse(await exported());
  file.links[0].url = 'javascript:alert(1)';
  file.links.push({ ...file.links[1], id: 'long', title: 'a'.repeat(33_000) }, 'no link');
  file.connections.push({ id: 'e', name: '', baseUrl: 'http://insecure.example' });
  file.connections.push({ id: 'f', name: '', baseUrl: 'https://c.example', apiKey: 'smuggled' });
  freshDisk();
  const { contents, added } = await imported(JSON.stringify(file));
  expect(contents.leftOut.map(({ reason }) => reason)).toEqual(Array(4).fill('broken_entry'));
  expect(added).toEqual({ connections: 3, requests: 3, links: 1 });
  expect(JSON.stringify(await everything())).not.toContain('smuggled');
});

test('if one record cannot be written, nothing is imported', async () => {
  const json = await exported();
  freshDisk();
  const read = await readFile(new Blob([json]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  const { imported: plan } = await preview(read.contents);
  const [link] = plan.links;
  // IndexedDB cannot store this entry, because functions cannot be cloned.
  const broken = { ...link, id: 'broken', shortUrl: 'https://s.example/broken', title: () => '' } as unknown as Link;
  await expect(saveImport(() => ({ ...plan, links: [...plan.links, broken] }))).rejects.toThrow();
  const all = await everything();
  expect(Object.values(all).flat()).toEqual([]);
});
