import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deletePrivateDataUnlessOpen, updateUnlessPrivate } from '../../../src/background/private-windows.ts';
import { type HandedOver, openWithList, popupTarget } from '../../../src/messages/open-page-with-data.ts';
import type { Attempt } from '../../../src/queue/types.ts';
import type { AttemptResult } from '../../../src/servers/service-adapter.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { readVisibleLinks } from '../../../src/storage/load-page-data.ts';
import { mergeListedLinks } from '../../../src/storage/merge-service-links.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { answeredBy, connected, created, lost, refusedAs, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const memory = () => browser.storage.session.dump();
let worker: TestWorker;

const hide = (id: string) => worker.shorten({ id, url: `https://hidden.example/${id}` }, { private: true });
const ids = async () => (await worker.requests()).map(({ id }) => id);
const closeWindow = () => deletePrivateDataUnlessOpen(worker.store);

/** Adds a private link, a failed private request, a waiting private request, and requests that are not private. */
beforeEach(async () => {
  freshDisk();
  worker = await connected('full');
  await hide('request-p');
  await worker.accept('request-a');
  await worker.runOut();
  worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
  await hide('request-f');
  await worker.runOut();
  await hide('request-w');
  worker.pass(1);
  await worker.accept('request-b');
});

test('private data is kept while a private window is open', async () => {
  windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
  const before = memory();
  await closeWindow();
  expect(memory()).toBe(before);
  expect((await readVisibleLinks(true)).map(({ id }) => id)).toEqual(['request-p', 'request-a']);
});

describe('after the last private window is closed', () => {
  test('all private data is deleted, and all other data is kept', async () => {
    await closeWindow();
    expect(memory()).not.toContain('hidden');
    expect(await ids()).toEqual(['request-b']);
    expect((await readVisibleLinks(true)).map(({ id }) => id)).toEqual(['request-a']);
  });

  test.each<[string, (attempt: Attempt) => AttemptResult]>([
    ['created a link', ({ requestIds }) => created(requestIds)],
    ['was lost', lost],
    ['was refused', (attempt) => refusedAs(attempt, 'invalid_url')],
    [
      'was refused temporarily',
      (attempt) => answeredBy(attempt, { kind: 'refused_for_now', code: 'busy', message: '', retryAfterSeconds: null }),
    ],
  ])('a request in flight that %s leaves no trace and is not sent again', async (_what, outcomeOf) => {
    const answer = Promise.withResolvers<void>();
    worker.send = async (attempt) => {
      if (!attempt.private) return created(attempt.requestIds);
      await answer.promise;
      return outcomeOf(attempt);
    };
    worker.pass(60_000);
    const sentBefore = worker.sent.length;
    const run = worker.runner.run();
    await vi.waitFor(() => expect(worker.sent).toHaveLength(sentBefore + 1));
    expect(worker.sent.at(-1)?.private).toBe(true);
    await closeWindow();
    answer.resolve();
    await run;
    await worker.runOut();
    expect(memory()).not.toContain('hidden');
    expect(worker.sent.slice(sentBefore + 1).map(({ private: isPrivate }) => isPrivate)).not.toContain(true);
    expect(await worker.links()).toContain('request-b');
    expect((await worker.queue()).limits.sends).toHaveLength(worker.sent.length);
  });

  test("a link that was created in flight is not read from the service's list", async () => {
    worker.send = async ({ requestIds }) => {
      await closeWindow();
      return created(requestIds);
    };
    worker.pass(60_000);
    await worker.runOut();
    const database = await openDatabase();
    const { connection } = await worker.queue();
    const times = { title: null, createdAt: 1, expiresAt: null, clicks: 0 };
    const listed = ['request-w', 'other'].map((shortCode) => ({
      ...times,
      shortCode,
      shortUrl: `https://s.example/${shortCode}`,
      url: `https://hidden.example/${shortCode}`,
    }));
    await mergeListedLinks(database, connection, listed, Date.now());
    database.close();
    const urls = (await readVisibleLinks(false)).map(({ url }) => url);
    expect(urls).toContain('https://hidden.example/other');
    expect(urls).not.toContain('https://hidden.example/request-w');
  });

  const target = { orderId: 'o', url: 'https://hidden.example/o', title: '' };
  test.each([
    ['the popup', (given: HandedOver) => popupTarget.give({ ...target, ...given })],
    ['the bulk page', (given: HandedOver) => openWithList({ text: target.url, tabId: null, ...given })],
  ])('data for %s about a private page is deleted, and data about other pages is kept', async (_page, give) => {
    await give({ private: true, at: Date.now() });
    await closeWindow();
    expect(memory()).not.toContain('hidden');
    await give({ private: false, at: Date.now() });
    await closeWindow();
    expect(memory()).toContain('hidden');
  });
});

describe('an update of the extension', () => {
  const inFirefox = () => Object.assign(browser.runtime, { getBrowserInfo: async () => ({ name: 'Firefox' }) });
  afterEach(() => Reflect.deleteProperty(browser.runtime, 'getBrowserInfo'));

  test('waits in Firefox while private data is in memory, because a reload would delete it', async () => {
    inFirefox();
    await updateUnlessPrivate(worker.store);
    expect(browser.runtime.reload).not.toHaveBeenCalled();
    await closeWindow();
    await updateUnlessPrivate(worker.store);
    expect(browser.runtime.reload).toHaveBeenCalledOnce();
  });

  test('waits in Firefox if the memory cannot be read', async () => {
    inFirefox();
    vi.spyOn(worker.store, 'hasPrivate').mockRejectedValue(new Error('The storage does not answer.'));
    await updateUnlessPrivate(worker.store);
    expect(browser.runtime.reload).not.toHaveBeenCalled();
  });

  test('is left to Chromium, which installs it while the extension is idle', async () => {
    await closeWindow();
    await updateUnlessPrivate(worker.store);
    expect(browser.runtime.reload).not.toHaveBeenCalled();
  });
});

describe('without the windows API', () => {
  beforeEach(() => {
    browser.windows = undefined;
  });

  test('private tabs keep private data', async () => {
    browser.tabs.query.mockResolvedValue([{ incognito: false }, { incognito: true }]);
    await closeWindow();
    expect(memory()).toContain('hidden');
  });

  test('closing the last private tab deletes private data', async () => {
    await closeWindow();
    expect(memory()).not.toContain('hidden');
  });
});
