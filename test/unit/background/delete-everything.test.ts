import { beforeEach, expect, test, vi } from 'vitest';
import type { AttemptResult } from '../../../src/servers/adapter.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { connected, created, FULL, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let worker: TestWorker;

beforeEach(async () => {
  freshDisk();
  worker = await connected('full');
  await worker.accept('made');
  await worker.runOut();
  await writeSettings({ ...DEFAULT_SETTINGS, expiry: 'day' });
});

async function everything() {
  const database = await openDatabase();
  const all = await everythingOnDisk(database);
  database.close();
  return { database: Object.values(all).flat(), local: browser.storage.local.dump() };
}

const NOTHING = { database: [], local: '{}' };

test('deleting everything empties the disk, and the background continues', async () => {
  await worker.accept('waits');
  await worker.store.deleteEverything();
  expect(await everything()).toEqual(NOTHING);
  expect(browser.storage.session.dump()).not.toMatch(/waits|made/);
  await worker.runOut();
  expect(worker.slept).toBeGreaterThan(0);

  await worker.connect({ ...FULL, id: 'again' });
  await worker.accept('next');
  await worker.runOut();
  expect(await worker.links()).toEqual(['next']);
});

test.each(['created', 'unclear'] as const)('a late response (%s) restores nothing', async (kind) => {
  const sent = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<AttemptResult>();
  worker.send = () => {
    sent.resolve();
    return answer.promise;
  };
  await worker.accept('in-flight', 'behind');
  worker.pass(5_000);
  const running = worker.runner.run();
  await sent.promise;
  await worker.store.deleteEverything();
  answer.resolve(
    kind === 'created' ? created(['in-flight', 'behind']) : { ...created([]), items: [], answered: false },
  );
  await running;
  await worker.runOut();
  expect(await everything()).toEqual(NOTHING);
  expect(worker.sent.filter(({ requestIds }) => requestIds.includes('in-flight'))).toHaveLength(1);
  expect(worker.completed.flatMap(({ links }) => links.map(({ link }) => link.id))).toEqual(['made']);
});

test('settings that a page is changing are deleted too', async () => {
  const { promise: deleted } = await navigator.locks.request('settings', async () => {
    const promise = worker.store.deleteEverything();
    const waits = async () => expect((await navigator.locks.query()).pending).toHaveLength(1);
    await Promise.race([promise, vi.waitFor(waits)]);
    await browser.storage.local.set({ settings: DEFAULT_SETTINGS });
    return { promise };
  });
  await deleted;
  expect(await everything()).toEqual(NOTHING);
});

test('a page closes its open database when everything is deleted', async () => {
  const page = await openDatabase();
  await worker.store.deleteEverything();
  expect(() => page.transaction(['links'], 'readonly')).toThrow();
  expect(await everything()).toEqual(NOTHING);
});
