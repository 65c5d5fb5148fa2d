import { beforeEach, describe, expect, test, vi } from 'vitest';
import { importEntries } from '../../../src/background/commands/connection-commands.ts';
import { exportData } from '../../../src/import-export/export-file.ts';
import { readFile } from '../../../src/import-export/import-file.ts';
import { newEntries } from '../../../src/import-export/new-entries.ts';
import type { Connection, Link } from '../../../src/queue/types.ts';
import type { ListedLink } from '../../../src/servers/adapter.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { mergeListedLinks } from '../../../src/storage/links.ts';
import { readLinks, readStoredQueues } from '../../../src/storage/load-page-data.ts';
import { DEFAULT_SETTINGS } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { created, FULL, NOW, TestWorker } from '../support/worker.ts';

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
const SETTINGS = { ...DEFAULT_SETTINGS, expiry: 'day', shortenOnOpen: true } as const;

async function here() {
  const [{ queues }, links] = await Promise.all([readStoredQueues(), readLinks()]);
  return { connections: queues.map(({ connection }) => connection), links };
}

async function exported(): Promise<string> {
  return exportData({ ...(await here()), settings: SETTINGS }, NOW);
}

async function imported(json: string, store = new TestWorker().store) {
  const read = await readFile(new Blob([json]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  const { contents } = read;
  const preview = newEntries(contents, await here());
  return { contents, preview, added: await importEntries(store, contents) };
}

async function everything() {
  const database = await openDatabase();
  const all = await everythingOnDisk(database);
  database.close();
  return all;
}

const byId = (links: Link[]) => links.toSorted((one, other) => one.id.localeCompare(other.id));

let worker: TestWorker;

/** Fills a browser with two connections, a link of each, and a waiting request. */
beforeEach(async () => {
  freshDisk();
  worker = new TestWorker();
  await worker.connect(FIRST);
  await worker.connect(SECOND);
  worker.send = async ({ requestIds }, { baseUrl }) => createdAt(baseUrl, requestIds);
  await worker.accept('made');
  await worker.shorten({ id: 'other' }, { connectionId: 'd' });
  await worker.runOut();
  await worker.accept('waits');
});

test('an export contains everything except API keys', async () => {
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
  const ids = JSON.parse(json).links.map(({ id }: { id: string }) => id);
  expect(ids.toSorted()).toEqual(['made', 'other']);
  expect(json).not.toMatch(/key-c|key-d|abcd|hidden|waits/);
});

describe('an import in another browser', () => {
  test('stores an entry once that the file contains twice', async () => {
    const file = JSON.parse(await exported());
    file.links.push(...file.links.map((link: Link) => ({ ...link, id: `${link.id}-again` })));
    file.connections.push(...file.connections);
    freshDisk();
    const { added } = await imported(JSON.stringify(file), new TestWorker().store);
    expect(added).toEqual({ connections: 2, links: 2 });
  });

  test('restores everything except unfinished requests, and connections need their keys', async () => {
    const settings = { kind: 'shlink', domain: 'go.example', limits: { perSecond: 2, perDay: null } } as const;
    await worker.connect({ ...SECOND, ...settings });
    const foreign = { elsewhere: true, isRestricted: true, tags: ['birds', 'long reads'] } as const;
    await addLinks(worker.store, [aLink('c/a', { ...foreign, tags: [...foreign.tags] })]);
    const links = await readLinks();
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    const { added, contents } = await imported(json, elsewhere.store);
    expect(added).toEqual({ connections: 2, links: 3 });
    expect(contents.settings).toEqual(SETTINGS);
    // Imported links belong to no connection until a server lists them.
    const withoutConnection = links.map((link) => ({ ...link, connectionId: null }));
    expect(byId(await readLinks())).toEqual(byId(withoutConnection));

    await elsewhere.runOut();
    expect([elsewhere.sent, elsewhere.probed]).toEqual([[], []]);
    const queues = await elsewhere.store.queues();
    expect(queues.map(({ connection, state, requests }) => [connection.id, state.blocked, requests])).toEqual([
      ['c', 'key_missing', []],
      ['d', 'key_missing', []],
    ]);
    expect(queues[1]?.connection).toMatchObject(settings);
  });

  test('adds no second connection with the same address', async () => {
    const json = await exported();
    freshDisk();
    const elsewhere = new TestWorker();
    await elsewhere.connect({ ...FIRST, id: 'mine' }, 'my-key');
    const { added } = await imported(json, elsewhere.store);
    expect(added.connections).toBe(1);
    const queues = await elsewhere.store.queues();
    expect(queues.map(({ connection, state }) => [connection.id, state.blocked])).toEqual([
      ['mine', null],
      ['d', 'key_missing'],
    ]);
    expect((await everything()).secrets).toEqual([['mine', 'my-key']]);
  });
});

test.each([FIRST, { ...FIRST, service: null }])(
  'an imported short URL is not offered for any page, even if the file contains its connection',
  async (connection) => {
    const file = JSON.parse(await exported());
    const forged = [
      { id: 'never-made', url: 'https://bank.example/', shortUrl: 'https://s.example/never-made' },
      { id: 'host', url: 'https://shop.example/', shortUrl: 'https://s.example/' },
      { id: 'strange', url: 'https://mail.example/', shortUrl: 'https://evil.example/x' },
    ];
    file.connections = [{ ...file.connections[0], id: 'evil', baseUrl: 'https://evil.example' }];
    file.links = forged.map((part) => ({ ...file.links[0], connectionId: 'evil', shortCode: 'x', ...part }));
    freshDisk();
    const elsewhere = new TestWorker();
    await elsewhere.connect(connection);
    await imported(JSON.stringify({ ...file, links: [] }), elsewhere.store);
    await imported(JSON.stringify(file), elsewhere.store);
    for (const { id, url } of forged) {
      const reply = await elsewhere.shorten({ id: `new-${id}`, url });
      expect(reply).toMatchObject({ ok: true, value: { requestIds: [`new-${id}`], existing: [] } });
    }
  },
);

test('an imported file cannot change a connection with the same id', async () => {
  const json = await exported();
  freshDisk();
  const elsewhere = new TestWorker();
  await elsewhere.connect({ ...FULL, id: 'c', baseUrl: 'https://other.example' }, 'my-key');
  expect((await imported(json, elsewhere.store)).added).toEqual({ connections: 1, links: 2 });
  const queues = await elsewhere.store.queues();
  expect(queues.map(({ connection: { id, baseUrl } }) => [id, baseUrl])).toEqual([
    ['c', 'https://other.example'],
    ['d', 'https://b.example'],
  ]);
});

test('an imported link is offered again only after its service has listed it', async () => {
  const json = await exported();
  const made = (await readLinks()).find(({ id }) => id === 'made') as Link;
  freshDisk();
  const elsewhere = new TestWorker();
  await imported(json, elsewhere.store);
  const connections = connectionsOver(elsewhere, { fetch: async () => new Response('', { status: 404 }) });
  await connections.save({ connectionId: 'c', name: '', baseUrl: FIRST.baseUrl, apiKey: 'new-key' });
  const { connection } = await elsewhere.queue();
  const { shortCode, shortUrl, title, createdAt, expiresAt } = made;
  const listed = { shortCode, shortUrl, title, createdAt, expiresAt, clicks: 1 };
  const merge = (links: ListedLink[]) =>
    elsewhere.store.writeLinks((transaction) => mergeListedLinks(transaction, connection, links, Date.now()));
  const again = (id: string) => elsewhere.shorten({ id, url: made.url }, { connectionId: 'c' });
  const other = { ...listed, shortCode: 'b', shortUrl: 'https://s.example/b', url: made.url };
  await merge([other]);
  expect(await again('first')).toMatchObject({ ok: true, value: { existing: [{ shortUrl: 'https://s.example/b' }] } });
  await merge([{ ...listed, url: made.url }]);
  expect((await readLinks()).find(({ id }) => id === 'made')).toMatchObject({
    connectionId: 'c',
    clicks: 1,
  });
});

test('an import in the original browser, or a second import, changes nothing', async () => {
  const json = await exported();
  const before = await everything();
  const { added, preview } = await imported(json);
  expect(added).toEqual({ connections: 0, links: 0 });
  expect(preview).toEqual({ connections: [], links: [] });
  expect(await everything()).toEqual(before);
});

test('a link that its service has listed before the import is not added a second time', async () => {
  const json = await exported();
  const made = (await readLinks()).find(({ id }) => id === 'made') as Link;
  freshDisk();
  const elsewhere = new TestWorker();
  await elsewhere.connect(FIRST);
  const { shortCode, shortUrl, url, title, createdAt, expiresAt } = made;
  const listed = { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks: 1 };
  await elsewhere.store.writeLinks((transaction) => mergeListedLinks(transaction, FIRST, [listed], NOW));
  const { added, preview } = await imported(json, elsewhere.store);
  expect([added.links, preview.links.map(({ id }) => id)]).toEqual([1, ['other']]);
  expect((await readLinks()).filter((link) => link.shortUrl === shortUrl)).toMatchObject([{ connectionId: 'c' }]);
});

test('an API key in a file is not stored', async () => {
  const file = JSON.parse(await exported());
  file.connections.push({ id: 'e', name: '', baseUrl: 'https://c.example', apiKey: 'smuggled' });
  freshDisk();
  expect((await imported(JSON.stringify(file))).added).toEqual({ connections: 3, links: 2 });
  expect(JSON.stringify(await everything())).not.toContain('smuggled');
});

test('imported connections come after the stored ones, in the order of the file', async () => {
  const file = JSON.parse(await exported());
  for (const id of ['y', 'x']) file.connections.push({ id, name: '', baseUrl: `https://${id}.example` });
  await imported(JSON.stringify(file));
  expect((await here()).connections.map(({ id }) => id).slice(-2)).toEqual(['y', 'x']);
});

test('if one record cannot be written, nothing is imported', async () => {
  const json = await exported();
  freshDisk();
  const read = await readFile(new Blob([json]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  const { connections, links } = read.contents;
  const [link] = links;
  // IndexedDB cannot store this entry, because functions cannot be cloned.
  const broken = { ...link, id: 'broken', shortUrl: 'https://s.example/broken', title: () => '' } as unknown as Link;
  const { store } = new TestWorker();
  await expect(importEntries(store, { connections, links: [...links, broken] })).rejects.toThrow();
  expect(Object.values(await everything()).flat()).toEqual([]);
});
