import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link, makeKey, NOON, submission, targetOf } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let directory: string;
let terse: TestService;
beforeEach(async () => {
  directory = join(mkdtempSync(join(tmpdir(), 'terse-failures-')), 'clicks');
  terse = await startTestService({ TERSE_JOURNAL_DIR: directory });
  await terse.store.createRequests.submit(submission(await makeKey(terse.store), { links: [link(['linked'])] }));
});
afterEach(async () => {
  await terse.stop();
  rmSync(join(directory, '..'), { recursive: true });
});

const click = async () => {
  const response = await terse.visit('/linked', { headers: { 'User-Agent': FIREFOX } });
  return response.status;
};
const counted = async () => {
  const { id } = (await targetOf(terse.store, 'linked')) ?? { id: 0 };
  await terse.service.clicks.settle();
  const [only] = await terse.store.clicks.days(id, dayOf(NOON), dayOf(NOON));
  return only ? sumDay(readDay(only.counts)).clicks : 0;
};

it('the service redirects and reports lost clicks if they cannot be written, in few log lines', async () => {
  rmSync(directory, { recursive: true });
  writeFileSync(directory, 'a file in the way');
  expect([await click(), await click(), await click()]).toEqual([302, 302, 302]);
  expect(terse.service.clicks.stats().lost).toBe(3);
  const lines = terse.log.filter((line) => line.includes('their clicks could not be recorded'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('127.0.0.1');
  await terse.service.clicks.runMaintenance();
  expect(await click()).toBe(302);
});

it('the service handles create requests while it counts clicks', async () => {
  const key = await makeKey(terse.store);
  for (let round = 0; round < 20; round += 1) {
    const [status, outcome] = await Promise.all([
      click(),
      terse.store.createRequests.submit(submission(key, { links: [link([`made-${round}`])] })),
    ]);
    expect([status, outcome.kind]).toEqual([302, 'answered']);
    if (round % 5 === 0) await terse.service.clicks.settle();
  }
  expect(await counted()).toBe(20);
});
