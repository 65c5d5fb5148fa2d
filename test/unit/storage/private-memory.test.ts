import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { applyResult } from '../../../src/queue/results/apply-result.ts';
import { startAttempt } from '../../../src/queue/start-attempt.ts';
import type { Database } from '../../../src/storage/database.ts';
import { readVisibleLinks, readVisibleQueues } from '../../../src/storage/load-page-data.ts';
import type { Store } from '../../../src/storage/store.ts';
import {
  answered,
  aRequest,
  at,
  created,
  forNow,
  fullService,
  lost,
  refused,
  specOnly,
} from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { addLinks, addRequests, aLink, change, connect, idsOf, other } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const HIDDEN = 'https://hidden.example/page';
let store: Store;
let database: Database;

beforeEach(async () => {
  freshDisk();
  ({ store, database } = await openStore());
  await connect(store, specOnly);
});

const aPrivateRequest = (id = 'p') => aRequest(id, { url: HIDDEN, title: 'Confidential', private: true });
const begin = () => change(store, (queue) => startAttempt(queue, ['p'], 'attempt', at()));
const end = (outcome: Parameters<typeof applyResult>[2]) =>
  store.update('c', (queue) => {
    const [attempt] = queue.attempts;
    if (!attempt) throw new Error('There is no open attempt');
    return { ...applyResult(queue, attempt, outcome, at(), 0), result: null };
  });
const queue = async () => store.queue('c');
const aPrivateLink = (id: string, part: Parameters<typeof aLink>[1] = {}) =>
  aLink(id, { url: HIDDEN, title: 'Confidential', shortUrl: `https://s.example/hidden-${id}`, private: true, ...part });

async function expectNothingOnDisk() {
  const disk = JSON.stringify(await everythingOnDisk(database)) + browser.storage.local.dump();
  for (const trace of ['hidden', 'Confidential']) expect(disk).not.toContain(trace);
}

test('a private request is in memory until its end, and never on disk', async () => {
  await addRequests(store, [aPrivateRequest()]);
  await expectNothingOnDisk();
  expect((await queue())?.requests).toMatchObject([{ id: 'p', url: HIDDEN }]);
  await begin();
  await expectNothingOnDisk();
  expect((await queue())?.attempts).toMatchObject([{ requestIds: ['p'], private: true }]);
  await end(answered([created('https://s.example/hidden')]));
  await expectNothingOnDisk();
  expect(await queue()).toMatchObject({ requests: [], attempts: [] });
  expect(await readVisibleLinks(true)).toMatchObject([{ shortUrl: 'https://s.example/hidden' }]);
});

test.each([
  ['lost', lost()],
  ['refused temporarily', answered([forNow('busy')])],
  ['refused', answered([refused('invalid_url')])],
])('a private request that is %s stays in memory, and its send stays charged', async (_name, outcome) => {
  await change(store, (queue) => ({ ...queue, connection: fullService() }));
  await addRequests(store, [aPrivateRequest()]);
  await begin();
  await end(outcome);
  await expectNothingOnDisk();
  expect(await queue()).toMatchObject({ requests: [{ id: 'p' }], limits: { sends: { length: 1 } } });
});

test('when the browser closes, only private requests end', async () => {
  await addRequests(store, [aPrivateRequest(), aRequest('a')]);
  browser.storage.session.clear();
  const { store: next } = await openStore();
  expect(idsOf((await next.queue('c'))?.requests ?? [])).toEqual(['a']);
});

test('a worker that dies before memory is written has not sent an uncharged request', async () => {
  await addRequests(store, [aPrivateRequest()]);
  const { set } = browser.storage.session;
  const dying = vi.spyOn(browser.storage.session, 'set').mockImplementation((records) => {
    return 'privateMemory' in records
      ? Promise.reject(new Error('The worker died'))
      : set.call(browser.storage.session, records);
  });
  await expect(begin()).rejects.toThrow('The worker died');
  dying.mockRestore();
  expect(await queue()).toMatchObject({
    requests: [{ id: 'p', state: 'waiting' }],
    attempts: [],
    limits: { sends: { length: 1 } },
  });
});

test('private requests are stored per queue', async () => {
  await connect(store, other);
  await addRequests(store, [aPrivateRequest()]);
  await addRequests(store, [{ ...aPrivateRequest('q'), connectionId: 'd' }], 'd');
  await change(store, (queue) => ({ ...queue, requests: queue.requests.map((one) => ({ ...one, state: 'failed' })) }));
  const found = (await store.queues()).map(({ requests }) => requests.map(({ id, state }) => `${id} ${state}`));
  expect(found).toEqual([['q waiting'], ['p failed']]);
});

test('a private request is stored beside many private links', async () => {
  await addRequests(store, [aPrivateRequest()]);
  await addLinks(store, [aPrivateLink('l')]);
  await change(store, (queue) => ({ ...queue, requests: queue.requests.map((one) => ({ ...one, state: 'failed' })) }));
  expect((await queue())?.requests).toMatchObject([{ id: 'p', state: 'failed' }]);
  expect(idsOf(await readVisibleLinks(true))).toEqual(['l']);
});

test('concurrent private requests and links are not lost', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `p${n}`);
  await Promise.all(
    ids.flatMap((id) => [addRequests(store, [aPrivateRequest(id)]), addLinks(store, [aPrivateLink(id)])]),
  );
  expect(idsOf((await queue())?.requests ?? []).sort()).toEqual(ids.toSorted());
  expect(idsOf(await readVisibleLinks(true)).sort()).toEqual(ids.toSorted());
});

test('a canceled private request is deleted from memory', async () => {
  await addRequests(store, [aPrivateRequest()]);
  await change(store, (queue) => ({ ...queue, requests: [] }));
  expect(browser.storage.session.dump()).not.toContain('hidden');
});

test('when the last private window closes, all its data is deleted, and used quota stays used', async () => {
  await addRequests(store, [aPrivateRequest(), aPrivateRequest('q'), aRequest('a')]);
  await addLinks(store, [aPrivateLink('l'), aLink('m')]);
  await begin();
  await store.forgetPrivate();
  expect(browser.storage.session.dump()).not.toMatch(/hidden|Confidential/);
  expect(await queue()).toMatchObject({ requests: [{ id: 'a' }], attempts: [], limits: { sends: { length: 1 } } });
  expect(idsOf(await store.links(true, {}))).toEqual(['m']);
});

describe('private links', () => {
  const shown = async (isPrivate: boolean) => idsOf(await readVisibleLinks(isPrivate));

  test('are returned only to private windows, newest first, before the others', async () => {
    await addLinks(store, [aPrivateLink('p1', { createdAt: 1 }), aLink('a')]);
    await addLinks(store, [aPrivateLink('p2', { createdAt: 2 })]);
    await expectNothingOnDisk();
    expect(await shown(true)).toEqual(['p2', 'p1', 'a']);
    expect(await shown(false)).toEqual(['a']);
  });

  test('are deleted, one or several at once', async () => {
    await addLinks(
      store,
      [1, 2, 3].map((n) => aPrivateLink(`p${n}`, { createdAt: n })),
    );
    await store.removeLinks(['p2']);
    expect(await shown(true)).toEqual(['p3', 'p1']);
    await store.removeLinks(['p1', 'p3']);
    expect(await shown(true)).toEqual([]);
    expect(browser.storage.session.dump()).not.toContain('hidden');
  });
});

test('a page in another window sees no private request and no private attempt', async () => {
  await addRequests(store, [aPrivateRequest()]);
  await begin();
  expect((await readVisibleQueues(false)).queues).toMatchObject([{ requests: [], attempts: [] }]);
  expect((await readVisibleQueues(true)).queues).toMatchObject([
    { requests: [{ id: 'p' }], attempts: [{ private: true }] },
  ]);
});

test('private requests end with their connection', async () => {
  await addRequests(store, [aPrivateRequest()]);
  await store.updateAll((all) => ({ all: { ...all, queues: [] }, result: null }));
  expect(browser.storage.session.dump()).not.toContain('hidden');
});

test('private requests of a missing connection do not move to another', async () => {
  await addRequests(store, [aPrivateRequest()]);
  globalThis.indexedDB = new IDBFactory();
  ({ store, database } = await openStore());
  await connect(store, other);
  expect((await readVisibleQueues(true)).queues).toMatchObject([{ connection: other, requests: [] }]);
});
