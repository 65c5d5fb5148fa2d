import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Alarm } from '../../../src/background/alarm.ts';
import { at, HOUR, MINUTE } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const run = vi.fn();
let online: boolean;
let alarm: Alarm;

beforeEach(() => {
  freshDisk();
  vi.useFakeTimers({ now: at().now });
  run.mockClear();
  online = true;
  alarm = new Alarm(run, () => online);
});
afterEach(async () => {
  await alarm.sleep();
  vi.useRealTimers();
});

const alarmIn = () => (browser.alarms.create.mock.lastCall?.[1].delayInMinutes ?? 0) * MINUTE;
const wakeIn = (ms: number | null, whenOnline = false) =>
  alarm.wake({ at: ms === null ? null : Date.now() + ms, whenOnline }, Date.now());

describe('waking', () => {
  test('is a timer to the millisecond, and an alarm no sooner than browsers promise', async () => {
    await wakeIn(700);
    expect(alarmIn()).toBe(30_000);
    vi.advanceTimersByTime(699);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('is one alarm and one timer: the last that was asked for', async () => {
    await wakeIn(700);
    await wakeIn(90_000);
    expect(alarmIn()).toBe(90_000);
    vi.advanceTimersByTime(89_999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('at a time that is past is now', async () => {
    await wakeIn(-5_000);
    vi.advanceTimersByTime(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('in more than 24 days is left to the alarm, and does not come at once', async () => {
    await wakeIn(2 ** 32);
    expect(alarmIn()).toBe(5 * MINUTE);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });

  test('is not needed when nothing is due', async () => {
    await wakeIn(700, true);
    await alarm.sleep();
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    expect(browser.alarms.clear).toHaveBeenCalledTimes(1);
  });

  test('after the computer slept is for what is left of the wait, not for all of it again', async () => {
    const due = Date.now() + 3_600_000;
    await alarm.wake({ at: due, whenOnline: false }, Date.now());
    // A computer's sleep stops its timers, but the wall clock continues.
    vi.setSystemTime(due - 40_000);
    await alarm.wake({ at: due, whenOnline: false }, Date.now());
    expect(alarmIn()).toBe(40_000);
    vi.advanceTimersByTime(40_000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('a clock that is set back while the worker sleeps', () => {
  test.each([5 * MINUTE, 24 * HOUR])('delays a wait of %d ms by five minutes at most', async (ms) => {
    let isAwake = true;
    const woken = vi.fn();
    // The browser wakes a background worker by its alarm after the delay, or at its wall clock time.
    const sleeper = new Alarm(
      () => isAwake && run(),
      () => online,
    );
    browser.alarms.create.mockImplementation(async (_name, info: { when?: number; delayInMinutes?: number }) => {
      const timer = setInterval(
        () => Date.now() >= (info.when ?? 0) && woken(clearInterval(timer)),
        1_000 * 60 * (info.delayInMinutes ?? 1 / 60),
      );
    });
    await sleeper.wake({ at: Date.now() + ms, whenOnline: false }, Date.now());
    isAwake = false;
    vi.setSystemTime(Date.now() - 2 * HOUR);
    vi.advanceTimersByTime(5 * MINUTE);
    expect(woken).toHaveBeenCalled();
    await sleeper.sleep();
  });

  test('wakes the worker again and again while something waits', async () => {
    await wakeIn(24 * HOUR);
    expect(browser.alarms.create).toHaveBeenCalledExactlyOnceWith('queue', { delayInMinutes: 5, periodInMinutes: 5 });
  });
});

describe('without a network', () => {
  beforeEach(async () => {
    online = false;
    await wakeIn(null, true);
  });

  test('it is looked for every two seconds, as long as the background is awake', () => {
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    online = true;
    vi.advanceTimersByTime(2_000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('the alarm wakes a background that sleeps by then as soon as browsers do that', () => {
    expect(alarmIn()).toBe(30_000);
  });

  test('what is due elsewhere has its time all the same', async () => {
    await wakeIn(5_000, true);
    vi.advanceTimersByTime(5_000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
