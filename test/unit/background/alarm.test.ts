import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sleep, wakeAt } from '../../../src/background/alarm.ts';
import { at } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);
afterEach(() => void vi.useRealTimers());

describe('waking', () => {
  beforeEach(() => void vi.useFakeTimers({ now: at().now }));

  const alarmIn = () => (browser.alarms.create.mock.lastCall?.[1].when ?? 0) - at().now;

  test('is a timer to the millisecond, and an alarm no sooner than browsers promise', async () => {
    const run = vi.fn();
    await wakeAt(at(700).now, at().now, run);
    expect(alarmIn()).toBe(30_000);
    vi.advanceTimersByTime(699);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('is one alarm and one timer: the last that was asked for', async () => {
    const [first, second] = [vi.fn(), vi.fn()];
    await wakeAt(at(700).now, at().now, first);
    await wakeAt(at(90_000).now, at().now, second);
    expect(alarmIn()).toBe(90_000);
    vi.advanceTimersByTime(90_000);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  });

  test('without a known end is a look after a minute, and one long past is now', async () => {
    const run = vi.fn();
    await wakeAt(null, at().now, run);
    expect(alarmIn()).toBe(60_000);
    await wakeAt(at(-5_000).now, at().now, run);
    vi.advanceTimersByTime(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('in more than 24 days is the alarm’s alone, and does not come at once', async () => {
    const run = vi.fn();
    await wakeAt(at(2 ** 32).now, at().now, run);
    expect(alarmIn()).toBe(2 ** 32);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });

  test('is not needed when nothing is due', async () => {
    const run = vi.fn();
    await wakeAt(at(700).now, at().now, run);
    await sleep();
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    expect(browser.alarms.clear).toHaveBeenCalledTimes(1);
  });
});
