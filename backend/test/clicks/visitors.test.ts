import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSalts } from '../../src/clicks/record-click.ts';
import { type Clicks, startClicks } from '../../src/clicks/start-clicks.ts';
import { dayOf, sumDay } from '../../src/domain/analytics/day-counts.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { link, NOON } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const DAY = dayOf(NOON);
const HOUR = 3_600_000;

const folder = folderForEach();
let clock: { now: number };
let running: { clicks: Clicks; store: Store }[] = [];
beforeEach(() => {
  clock = { now: NOON };
});
afterEach(async () => {
  for (const one of running) await stop(one);
});

async function start() {
  const store = await openStore({ engine: 'sqlite', path: folder.file('terse.db') }, clock.now);
  await store.links.create(FIRST_ACCOUNT, link(['linked']), NOON);
  const clicks = await startClicks({
    config: { trustedProxies: { includes: () => false, shortestPrefix: null }, countryHeader: null },
    store,
    clock: () => clock.now,
    random: systemRandom,
    log: () => {},
  });
  const one = { clicks, store };
  running.push(one);
  // Opening the file again in this thread would fail during a transaction.
  await clicks.settle();
  return one;
}
async function stop(one: { clicks: Clicks; store: Store }) {
  running = running.filter((other) => other !== one);
  await one.clicks.stop();
  await one.store.close();
}
async function click(clicks: Clicks, remoteAddress: string, agent = FIREFOX): Promise<void> {
  const request = { headers: { 'user-agent': agent }, socket: { remoteAddress } } as IncomingMessage;
  await clicks.add(clicks.describe(1, request));
}
const rows = async (statement: string) => {
  const database = new DatabaseSync(folder.file('terse.db'), { readOnly: true });
  const found = database.prepare(statement).all();
  database.close();
  return found.map((row) => ({ ...row }));
};
const visitors = async ({ clicks, store }: { clicks: Clicks; store: Store }) => {
  await clicks.settle();
  return (await store.clicks.days(1, DAY - 1, DAY + 2)).map(({ counts }) => sumDay(counts).visitors);
};

describe('visitors', () => {
  it('are recognized all day, after a restart and by a second process', async () => {
    const first = await start();
    await click(first.clicks, '203.0.113.1');
    await click(first.clicks, '203.0.113.1');
    await click(first.clicks, '203.0.113.2');
    await click(first.clicks, '203.0.113.1', `${FIREFOX} x`);
    expect(await visitors(first)).toEqual([3]);
    await stop(first);
    const second = await start();
    const third = await start();
    clock.now += 11 * HOUR;
    await click(second.clicks, '203.0.113.1');
    await click(third.clicks, '203.0.113.2');
    await click(third.clicks, '203.0.113.3');
    await second.clicks.settle();
    expect(await visitors(third)).toEqual([4]);
  });

  it('count as new on the next day, which begins at midnight UTC', async () => {
    const one = await start();
    await click(one.clicks, '203.0.113.1');
    clock.now = NOON + 12 * HOUR - 1;
    await click(one.clicks, '203.0.113.1');
    clock.now += 1;
    await click(one.clicks, '203.0.113.1');
    await one.clicks.settle();
    await click(one.clicks, '203.0.113.1');
    expect(await visitors(one)).toEqual([1, 1]);
  });

  it.each([12, -48])('are deleted when the clock moves %i hours, even if clicks cannot be counted', async (hours) => {
    const one = await start();
    await click(one.clicks, '203.0.113.1');
    await one.clicks.settle();
    const backup = new DatabaseSync(folder.file('terse.db'));
    backup.exec('BEGIN');
    const deleted = backup.prepare('SELECT salt FROM visitor_days JOIN visitors USING (day)').get();
    await click(one.clicks, '203.0.113.1');
    one.store.clicks.count = () => Promise.reject(new Error('on purpose'));
    clock.now += hours * HOUR;
    await one.clicks.settle();
    expect(await rows('SELECT day FROM visitors')).toEqual([]);
    expect(await rows('SELECT visitors FROM waiting_clicks')).toEqual([{ visitors: null }]);
    backup.close();
    await one.clicks.settle();
    const files = Buffer.concat(['terse.db', 'terse.db-wal'].map((name) => readFileSync(folder.file(name))));
    expect(files.includes(Buffer.from(deleted?.salt as Uint8Array))).toBe(false);
  });
});

it('stopping leaves the visitors of clicks that are not counted yet, which the next start counts', async () => {
  const one = await start();
  await click(one.clicks, '203.0.113.1');
  const { promise: counting, resolve } = Promise.withResolvers<void>();
  one.store.clicks.count = () => counting.then(() => Promise.reject(new Error('stopped')));
  clock.now += 12 * HOUR;
  const count = one.clicks.settle();
  const stopped = stop(one);
  resolve();
  await Promise.all([count, stopped]);
  expect(await visitors(await start())).toEqual([1]);
});

describe('salts', () => {
  it('are shared between processes before midnight, so that no click waits', async () => {
    const { store } = await start();
    clock.now = NOON + 12 * HOUR - 60_000;
    const one = createSalts(store.clicks, () => clock.now, systemRandom);
    const two = createSalts(store.clicks, () => clock.now, systemRandom);
    await Promise.all([one.refresh(), two.refresh()]);
    clock.now += 60_000;
    expect(one.at(clock.now)).toBe(two.at(clock.now));
    expect(one.at(clock.now)).not.toBe(one.at(clock.now - 1));
  });

  it.each([24, -48])('are deleted from memory when the clock moves %i hours', async (hours) => {
    const { store } = await start();
    const salts = createSalts(store.clicks, () => clock.now, systemRandom);
    const first = salts.at(NOON);
    expect(salts.at(NOON + HOUR)).toBe(first);
    await salts.refresh();
    const shared = salts.at(NOON);
    await salts.refresh();
    expect(salts.at(NOON)).toBe(shared);
    clock.now += hours * HOUR;
    await salts.refresh();
    expect([first, shared]).not.toContain(salts.at(NOON));
  });
});
