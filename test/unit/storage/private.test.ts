import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginAttempt } from '../../../src/queue/send.ts';
import { settle } from '../../../src/queue/settle.ts';
import type { Link, Snapshot } from '../../../src/queue/types.ts';
import type { Database } from '../../../src/storage/database.ts';
import { clearLinks, removeLink } from '../../../src/storage/links.ts';
import { readViewHere } from '../../../src/storage/read.ts';
import type { Store } from '../../../src/storage/store.ts';
import { answered, aRequest, at, created, forNow, lost, refused, specOnly } from '../queue/given.ts';
import { everythingOnDisk, freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const HIDDEN = 'https://hidden.example/page';
let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
  await change((snapshot) => ({ ...snapshot, connection: specOnly }));
});

const change = (rule: (snapshot: Snapshot) => Snapshot) =>
  store.transact((snapshot) => ({ snapshot: rule(snapshot), value: null }));
const read = () => store.transact((snapshot) => ({ snapshot, value: snapshot }));
const acceptPrivate = () =>
  change((snapshot) => ({
    ...snapshot,
    requests: [...snapshot.requests, aRequest('p', { url: HIDDEN, title: 'Confidential', private: true })],
  }));
const end = (outcome: Parameters<typeof settle>[1]) =>
  store.transact((snapshot) => ({ ...settle(snapshot, outcome, at(), 0), value: null }));

async function expectNothingOnDisk() {
  const disk = JSON.stringify(await everythingOnDisk(database)) + browser.storage.local.dump();
  for (const trace of ['hidden', 'Confidential']) expect(disk).not.toContain(trace);
}

test('a private request is in memory from its acceptance to its end, and at no moment on disk', async () => {
  await acceptPrivate();
  await expectNothingOnDisk();
  expect((await read()).requests).toMatchObject([{ id: 'p', url: HIDDEN }]);
  await change((snapshot) => beginAttempt(snapshot, ['p'], at()));
  await expectNothingOnDisk();
  expect((await read()).queue.attempt).toMatchObject({ requestIds: ['p'], private: true });
  await end(answered([created('https://s.example/hidden')]));
  await expectNothingOnDisk();
  expect(await read()).toMatchObject({ requests: [], queue: { attempt: null } });
});

test.each([
  ['lost', lost()],
  ['refused for now', answered([forNow('busy')])],
  ['refused', answered([refused('invalid_url')])],
])('a private request that is %s stays in memory, and its send stays charged', async (_name, outcome) => {
  await acceptPrivate();
  await change((snapshot) => beginAttempt(snapshot, ['p'], at()));
  await end(outcome);
  await expectNothingOnDisk();
  expect(await read()).toMatchObject({ requests: [{ id: 'p' }] });
  expect((await read()).budget?.sends).toHaveLength(1);
});

test('when the browser ends, private requests end with it, and others do not', async () => {
  await acceptPrivate();
  await change((snapshot) => ({ ...snapshot, requests: [...snapshot.requests, aRequest('a')] }));
  browser.storage.session.clear();
  expect((await read()).requests.map(({ id }) => id)).toEqual(['a']);
});

test('a private request is kept beside as many private links', async () => {
  await acceptPrivate();
  const links = [{ id: 'l', url: HIDDEN, title: '', shortUrl: 'https://s.example/l', createdAt: 0, private: true }];
  await store.transact((snapshot) => ({ snapshot, links, value: null }));
  await change((snapshot) => ({
    ...snapshot,
    requests: snapshot.requests.map((request) => ({ ...request, state: 'failed' })),
  }));
  expect((await read()).requests).toMatchObject([{ id: 'p', state: 'failed' }]);
});

test('a private request given up is gone from memory too', async () => {
  await acceptPrivate();
  await change((snapshot) => ({ ...snapshot, requests: [] }));
  expect(browser.storage.session.dump()).not.toContain('hidden');
});

describe('private links', () => {
  const link = (id: string, part: Partial<Link> = {}): Link => ({
    id,
    url: HIDDEN,
    title: 'Confidential',
    shortUrl: `https://s.example/hidden-${id}`,
    createdAt: at().now,
    private: true,
    ...part,
  });
  const keep = (...links: Link[]) => store.transact((snapshot) => ({ snapshot, links, value: null }));
  const shown = async (isPrivate: boolean) => (await readViewHere(isPrivate)).links.map(({ id }) => id);

  test('are shown to private windows alone, newest first, before the others', async () => {
    await keep(
      link('p1'),
      link('a', { url: 'https://x.example/', title: '', shortUrl: 'https://s.example/a', private: false }),
    );
    await keep(link('p2'));
    await expectNothingOnDisk();
    expect(await shown(true)).toEqual(['p2', 'p1', 'a']);
    expect(await shown(false)).toEqual(['a']);
  });

  test('are removed one by one, or all at once', async () => {
    await keep(link('p1'), link('p2'), link('p3'));
    await removeLink(database, 'p2');
    expect(await shown(true)).toEqual(['p3', 'p1']);
    await removeLink(database, 'p3');
    await clearLinks(database);
    expect(await shown(true)).toEqual([]);
    expect(browser.storage.session.dump()).not.toContain('hidden');
  });
});

test('a page in another window sees no private request', async () => {
  await acceptPrivate();
  expect((await readViewHere(false)).requests).toEqual([]);
  expect((await readViewHere(true)).requests).toMatchObject([{ id: 'p' }]);
});
