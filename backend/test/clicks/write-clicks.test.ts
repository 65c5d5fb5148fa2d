import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClicks } from '../../src/clicks/start-clicks.ts';
import { type ClickWriter, createClickWriter, MAX_CLICKS_IN_MEMORY } from '../../src/clicks/write-clicks.ts';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import type { ClickBatch, ClickStore } from '../../src/store/sql/click-queries.ts';
import { StoreFull, StoreUnavailable } from '../../src/store/store-errors.ts';
import { click } from '../support/clicks.ts';
import { NOON } from '../support/store.ts';

const away = () => Promise.reject(new StoreUnavailable(new Error('away')));
const DAY = 24 * 3_600_000;

let now: number;
let lines: string[];
let batches: ClickBatch[];
let add: (batch: ClickBatch) => Promise<void>;
let writer: ClickWriter;
const salt = vi.fn(async (_: number, proposal: Uint8Array) => proposal);
beforeEach(() => {
  vi.useFakeTimers();
  salt.mockReset();
  now = NOON;
  lines = [];
  batches = [];
  add = async () => {};
  writer = createClickWriter({
    clicks: {
      add(batch) {
        batches.push(batch);
        return add(batch);
      },
    },
    process: 'this',
    clock: () => now,
    log: (_, message) => void lines.push(message),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a function that tells if the promise has resolved. */
function watch(promise: Promise<void>): () => boolean {
  let isResolved = false;
  promise.then(() => {
    isResolved = true;
  });
  return () => isResolved;
}
const linksOf = (batch: ClickBatch | undefined) => batch?.clicks.map(({ link }) => link);

describe('redirects', () => {
  it('wait until their clicks are stored, and the clicks that arrive meanwhile form the next batch', async () => {
    const first = Promise.withResolvers<void>();
    add = () => first.promise;
    const one = watch(writer.add(click(1)));
    await vi.advanceTimersByTimeAsync(5);
    const two = watch(writer.add(click(2)));
    const three = watch(writer.add(click(3)));
    await vi.advanceTimersByTimeAsync(490);
    expect([one(), two(), three(), batches.map(linksOf)]).toEqual([false, false, false, [[1]]]);
    first.resolve();
    await vi.advanceTimersByTimeAsync(5);
    expect([one(), two(), three(), batches.map(linksOf)]).toEqual([true, true, true, [[1], [2, 3]]]);
    expect(batches.map(({ number }) => number)).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(10);
    expect(vi.getTimerCount()).toBe(0);
    add = () => Promise.withResolvers<void>().promise;
    const four = watch(writer.add(click(4)));
    await vi.advanceTimersByTimeAsync(490);
    expect(four()).toBe(false);
  });

  it('that wait when the database turns out to be away do not wait longer', async () => {
    add = away;
    const one = watch(writer.add(click(1)));
    await vi.advanceTimersByTimeAsync(5);
    expect(one()).toBe(true);
  });

  it('wait for their clicks even if the process was suspended meanwhile', async () => {
    const slow = Promise.withResolvers<void>();
    add = () => slow.promise;
    const one = watch(writer.add(click(1)));
    await vi.advanceTimersByTimeAsync(5);
    // After a long suspension, each timer that is due runs once.
    await vi.runOnlyPendingTimersAsync();
    expect(one()).toBe(false);
  });

  it('wait at most half a second for a slow database, and not at all for one that is away', async () => {
    const slow = Promise.withResolvers<void>();
    add = () => slow.promise;
    const one = watch(writer.add(click(1)));
    await vi.advanceTimersByTimeAsync(500);
    expect(one()).toBe(true);

    slow.reject(new StoreUnavailable(new Error('away')));
    add = away;
    await vi.advanceTimersByTimeAsync(5);
    const two = watch(writer.add(click(2)));
    await vi.advanceTimersByTimeAsync(5);
    expect(two()).toBe(true);
  });
});

describe('clicks', () => {
  it('are sent again with the same number while the database is away, and are stored when it is back', async () => {
    add = away;
    for (const link of [1, 2, 3]) {
      await Promise.all([writer.add(click(link)), vi.advanceTimersByTimeAsync(1000)]);
    }
    expect(new Set(batches.map(({ number }) => number))).toEqual(new Set([1]));
    expect(new Set(batches.map(({ process }) => process))).toEqual(new Set(['this']));
    batches = [];
    add = async () => {};
    await vi.advanceTimersByTimeAsync(1000);
    expect(batches.map(linksOf)).toEqual([[1], [2, 3]]);
    expect([writer.lost(), lines]).toEqual([0, []]);
  });

  it('are stored in batches of limited size after an outage', async () => {
    add = away;
    for (let round = 0; round < 28; round += 1) {
      for (let at = 0; at < 10; at += 1) writer.add(click(round));
      await vi.advanceTimersByTimeAsync(500);
    }
    batches = [];
    add = async () => {};
    await vi.advanceTimersByTimeAsync(1000);
    expect(batches.map(({ clicks }) => clicks.length)).toEqual([10, 100, 100, 70]);
  });

  it('are lost and reported, in few log lines, if too many wait for the database', async () => {
    add = away;
    for (let at = 0; at < MAX_CLICKS_IN_MEMORY + 7; at += 1) writer.add(click(at));
    await vi.advanceTimersByTimeAsync(500);
    expect(writer.lost()).toBe(7);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lines).toEqual(Array(2).fill('visitors were redirected, but their clicks could not be stored'));
    batches = [];
    add = async () => {};
    await vi.advanceTimersByTimeAsync(1000);
    expect(batches.reduce((sum, { clicks }) => sum + clicks.length, 0)).toBe(MAX_CLICKS_IN_MEMORY);
    await Promise.all([writer.add(click(1)), vi.advanceTimersByTimeAsync(5)]);
    expect(writer.lost()).toBe(7);
  });

  it('are lost at once if the disk is full, until there is space again', async () => {
    add = () => Promise.reject(new StoreFull(new Error('full')));
    await Promise.all([writer.add(click(1)), vi.advanceTimersByTimeAsync(5)]);
    expect([writer.lost(), batches.length]).toEqual([1, 1]);
    add = async () => {};
    await Promise.all([writer.add(click(2)), vi.advanceTimersByTimeAsync(5)]);
    expect([writer.lost(), linksOf(batches[1])]).toEqual([1, [2]]);
  });

  it('are lost while too many wait to be counted', async () => {
    writer.setFull(true);
    await Promise.all([writer.add(click(1)), vi.advanceTimersByTimeAsync(5)]);
    writer.setFull(false);
    await Promise.all([writer.add(click(2)), vi.advanceTimersByTimeAsync(5)]);
    expect([writer.lost(), batches.map(linksOf)]).toEqual([1, [[2]]]);
  });

  it('lose their visitors if they are stored after their day', async () => {
    add = away;
    writer.add(click(1, { at: NOON, visitor: 7 }));
    writer.add(click(1, { at: NOON + DAY, visitor: 7 }));
    await vi.advanceTimersByTimeAsync(500);
    now = NOON + DAY;
    await vi.advanceTimersByTimeAsync(500);
    expect(batches[0]?.clicks.map(({ visitor }) => visitor)).toEqual([7, 7]);
    expect(batches.at(-1)?.clicks.map(({ visitor }) => visitor)).toEqual([null, 7]);
    add = async () => {};
    await vi.advanceTimersByTimeAsync(500);
    await writer.stop();
  });

  it('are stored before the process stops, or lost and reported if the database is away', async () => {
    writer.add(click(1));
    await Promise.all([writer.stop(), vi.advanceTimersByTimeAsync(5)]);
    expect(batches.map(linksOf)).toEqual([[1]]);
    add = away;
    for (const link of [2, 3]) {
      await Promise.all([writer.add(click(link)), vi.advanceTimersByTimeAsync(600)]);
    }
    for (let at = 0; at < 250; at += 1) writer.add(click(4));
    batches = [];
    await Promise.all([writer.stop(), vi.advanceTimersByTimeAsync(1000)]);
    expect(writer.lost()).toBe(252);
    expect(lines).toHaveLength(2);
    // Each further attempt could take as long as the timeout of the database.
    expect(batches).toHaveLength(1);
  });
});

function startWith(store: Partial<ClickStore>) {
  return startClicks({
    config: { trustedProxies: { includes: () => false, shortestPrefix: null }, countryHeader: null },
    store: { clicks: { salt, forgetVisitors: async () => true, ...store } as ClickStore },
    clock: () => now,
    random: systemRandom,
    log: (_, message) => void lines.push(message),
  });
}

it.each([
  [1000, 30],
  [1001, 3],
])('%i waiting clicks are counted %i times in half a minute', async (many, times) => {
  const count = vi.fn(async () => ({ clicks: 0, dropped: 0 }));
  const clicks = await startWith({ count, waiting: async () => many });
  await vi.advanceTimersByTimeAsync(0);
  count.mockClear();
  await vi.advanceTimersByTimeAsync(30_500);
  expect(count).toHaveBeenCalledTimes(times);
  await clicks.stop();
  await vi.advanceTimersByTimeAsync(30_500);
  expect(count).toHaveBeenCalledTimes(times);
});

it('a failed count is reported once and retried, and so are the salts and the daily deletion of visitors', async () => {
  const count = vi.fn(async () => ({ clicks: 1, dropped: 0 })).mockResolvedValueOnce({ clicks: 1, dropped: 1 });
  const forgetVisitors = vi.fn(async () => true);
  const clicks = await startWith({ count, forgetVisitors, waiting: async () => 1 });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(forgetVisitors).toHaveBeenCalledTimes(1);
  now += DAY;
  for (const failing of [salt, count, forgetVisitors]) failing.mockRejectedValue(new Error('on purpose'));
  await vi.advanceTimersByTimeAsync(50_000);
  expect(forgetVisitors).toHaveBeenCalledTimes(51);
  expect(lines).toEqual([
    'clicks on links that no longer exist were not counted',
    'reading the salts failed and is retried',
    'counting clicks failed and is retried',
    'deleting the visitors of other days failed and is retried',
  ]);
  await clicks.stop();
});

it('the service starts at once, reports how many clicks wait, and stops soon, while millions of clicks are counted', async () => {
  let waiting = 10_000_000;
  const count: ClickStore['count'] = async (stopping, onRound = () => {}) => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      stopping?.throwIfAborted();
      waiting -= 100_000;
      onRound(waiting);
    }
  };
  const clicks = await startWith({ count, waiting: async () => waiting, add: async () => {} });
  await vi.advanceTimersByTimeAsync(900);
  await Promise.all([clicks.add(click(1)), vi.advanceTimersByTimeAsync(1000)]);
  expect(clicks.stats()).toEqual({ lost: 1, waiting: 9_900_000 });
  await Promise.all([clicks.add(click(1)), vi.advanceTimersByTimeAsync(1000)]);
  expect(clicks.stats()).toEqual({ lost: 1, waiting: 9_800_000 });
  // All processes must know the salt of the next day before midnight.
  now += DAY / 2 - 60_000;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(salt.mock.calls.map(([day]) => day - dayOf(NOON))).toEqual([0, 0, 0, 1]);
  await Promise.all([clicks.stop(), vi.advanceTimersByTimeAsync(5000)]);
  expect(waiting).toBe(3_800_000);
});
