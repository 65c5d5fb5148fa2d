import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAlarm } from '../../../src/background/queue-runner.ts';
import { at, HOUR, MINUTE } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const run = vi.fn();
let alarm: ReturnType<typeof createAlarm>;

beforeEach(() => {
  freshDisk();
  vi.useFakeTimers({ now: at() });
  run.mockClear();
  alarm = createAlarm(run);
});
afterEach(async () => {
  await alarm.sleep();
  vi.useRealTimers();
});

const alarmIn = () => (browser.alarms.create.mock.lastCall?.[1].delayInMinutes ?? 0) * MINUTE;
const wakeIn = (ms: number) => alarm.wake(Date.now() + ms);

describe('wake-ups', () => {
  test('use a timer to the millisecond, and an alarm after the minimum delay of browsers', async () => {
    await wakeIn(700);
    expect(alarmIn()).toBe(30_000);
    vi.advanceTimersByTime(699);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('use one alarm and one timer, and the last call wins', async () => {
    await wakeIn(700);
    await wakeIn(90_000);
    expect(alarmIn()).toBe(90_000);
    vi.advanceTimersByTime(89_999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('happen immediately if their time is in the past', async () => {
    await wakeIn(-5_000);
    vi.advanceTimersByTime(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('in more than 24 days use only the alarm and do not happen immediately', async () => {
    await wakeIn(2 ** 32);
    expect(alarmIn()).toBe(5 * MINUTE);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });

  test('are removed if nothing is due', async () => {
    await wakeIn(700);
    await alarm.sleep();
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    expect(browser.alarms.clear).toHaveBeenCalledTimes(1);
  });

  test("after a computer's sleep wait only for the remaining time", async () => {
    const due = Date.now() + 3_600_000;
    await alarm.wake(due);
    // A computer's sleep stops its timers, but the wall clock continues.
    vi.setSystemTime(due - 40_000);
    await alarm.wake(due);
    expect(alarmIn()).toBe(40_000);
    vi.advanceTimersByTime(40_000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('if the clock is set back while the worker sleeps', () => {
  test.each([5 * MINUTE, 24 * HOUR])('a wait of %d ms is at most five minutes longer', async (ms) => {
    let isAwake = true;
    const woken = vi.fn();
    // The browser wakes a background worker by its alarm after the delay, or at its wall clock time.
    const sleeper = createAlarm(() => isAwake && run());
    browser.alarms.create.mockImplementation(async (_name, info: { when?: number; delayInMinutes?: number }) => {
      const timer = setInterval(
        () => Date.now() >= (info.when ?? 0) && woken(clearInterval(timer)),
        1_000 * 60 * (info.delayInMinutes ?? 1 / 60),
      );
    });
    await sleeper.wake(Date.now() + ms);
    isAwake = false;
    vi.setSystemTime(Date.now() - 2 * HOUR);
    vi.advanceTimersByTime(5 * MINUTE);
    expect(woken).toHaveBeenCalled();
    await sleeper.sleep();
  });

  test('the worker wakes repeatedly while a request waits', async () => {
    await wakeIn(24 * HOUR);
    expect(browser.alarms.create).toHaveBeenCalledExactlyOnceWith('queue', { delayInMinutes: 5, periodInMinutes: 5 });
  });
});
