import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import type { TestService } from '../support/service.ts';
import { link, makeKey, NOON, submission, targetOf } from '../support/store.ts';

// A mock simulates the full disk, because the test cannot free space on a real one. `full-disk.test.ts` uses a real
// full disk.
vi.mock('../../src/clicks/journal-files.ts', async (original) => {
  const real = await original<typeof import('../../src/clicks/journal-files.ts')>();
  return {
    ...real,
    createJournalFolder: vi.fn(real.createJournalFolder).mockReturnValueOnce(null).mockReturnValueOnce(null),
  };
});

let terse: TestService;
beforeAll(async () => {
  // Other test files may have loaded the service without the mock.
  vi.resetModules();
  const { startTestService } = await import('../support/service.ts');
  terse = await startTestService();
  await terse.store.createRequests.submit(submission(await makeKey(terse.store), { links: [link(['linked'])] }));
});
afterAll(async () => {
  await terse.stop();
  vi.resetModules();
});

it('clicks are counted again when a disk that was full at the start has space', async () => {
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const click = async () => (await terse.visit('/linked', { headers })).status;
  expect([await click(), terse.service.clicks.stats().lost]).toEqual([302, 1]);
  await terse.service.clicks.runMaintenance();
  expect([await click(), await click()]).toEqual([302, 302]);
  await terse.service.clicks.settle();
  const { id } = (await targetOf(terse.store, 'linked')) ?? { id: 0 };
  const [day] = await terse.store.clicks.days(id, dayOf(NOON), dayOf(NOON));
  expect(day && sumDay(readDay(day.counts)).clicks).toBe(2);
});
