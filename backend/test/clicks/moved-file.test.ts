import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link, makeKey, NOON, submission, targetOf } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let folder: string;
let terse: TestService;
const start = () => startTestService({ TERSE_DATABASE: `file:${file()}`, TERSE_JOURNAL_DIR: join(folder, 'clicks') });
const data = () => join(folder, 'data');
const file = () => join(data(), 'terse.db');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-moved-'));
  terse = await start();
  await terse.store.createRequests.submit(submission(await makeKey(terse.store), { links: [link(['linked'])] }));
});
afterEach(async () => {
  await terse.stop();
  rmSync(folder, { recursive: true });
});

it('clicks wait while the database file is missing, create no new file, and are counted later', async () => {
  const away = join(folder, 'elsewhere');
  renameSync(data(), away);
  mkdirSync(data());
  expect((await terse.visit('/linked', { headers: { 'User-Agent': FIREFOX } })).status).toBe(302);
  await terse.service.clicks.settle();
  expect(readdirSync(data())).toEqual([]);
  expect(
    terse.log.find((line) => line.includes('the thread that counts clicks has crashed and will be restarted')),
  ).toContain(`The database ${file()}`);
  expect(terse.service.clicks.stats().journalBytes).toBeGreaterThan(0);

  rmSync(data(), { recursive: true });
  renameSync(away, data());
  await terse.stop();
  terse = await start();
  await terse.service.clicks.settle();
  const { id } = (await targetOf(terse.store, 'linked')) ?? { id: 0 };
  const [day] = await terse.store.clicks.days(id, dayOf(NOON), dayOf(NOON));
  expect(day && sumDay(readDay(day.counts))).toMatchObject({ clicks: 1 });
});
