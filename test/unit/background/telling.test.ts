import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sleep, wakeAt } from '../../../src/background/alarm.ts';
import { tellArrivals, tellRefusal } from '../../../src/background/arrivals.ts';
import { badgeOf } from '../../../src/background/badge.ts';
import { chosen } from '../../../src/background/menu.ts';
import type { Arrival } from '../../../src/background/pump.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { anAttempt, aRequest, aSnapshot, at, fullService } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const writeText = vi.fn(async (_text: string) => {});
const openPopups: unknown[] = [];

beforeEach(() => {
  freshDisk();
  writeText.mockClear();
  openPopups.length = 0;
  vi.stubGlobal('chrome', { runtime: { ContextType: { POPUP: 'POPUP' }, getContexts: async () => openPopups } });
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  vi.useRealTimers();
});

function arrival(id: string, waited = 100): Arrival {
  const link = { id, url: 'https://x.example/', title: '', shortUrl: `https://s.example/${id}`, createdAt: 0 };
  return { waited, link: { ...link, private: false } };
}

const notes = () => browser.notifications.create.mock.calls.map(([id, { title, message }]) => ({ id, title, message }));

describe('a link that has arrived', () => {
  test('is copied', async () => {
    await tellArrivals([arrival('a')], []);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://s.example/a');
  });

  test('with others is copied if it is the last of the fresh ones', async () => {
    await tellArrivals([arrival('a'), arrival('b'), arrival('old', 60_001)], []);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://s.example/b');
  });

  test('after more than a minute is not: the clipboard holds something else by now', async () => {
    await tellArrivals([arrival('a', 60_000)], []);
    await tellArrivals([arrival('b', 60_001)], []);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://s.example/a');
  });

  test('is not copied where the person does not want that', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, autoCopy: false });
    await tellArrivals([arrival('a')], []);
    expect(writeText).not.toHaveBeenCalled();
  });

  test('is notified of where the person wants that, and whether it was copied', async () => {
    await tellArrivals([arrival('a')], [aRequest('s')]);
    expect(notes()).toEqual([]);
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    await tellArrivals([arrival('a', 90_000), arrival('b')], []);
    expect(notes()).toEqual([
      { id: 'a', title: '[notifyReady]', message: 'https://s.example/a' },
      { id: 'b', title: '[notifyCopied]', message: 'https://s.example/b' },
    ]);
  });

  test('that could not be copied is not said to be', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    writeText.mockRejectedValueOnce(new Error('not focused'));
    await tellArrivals([arrival('a')], []);
    expect(notes()).toMatchObject([{ title: '[notifyReady]' }]);
  });

  test('under the eyes of the person is left to the popup', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    openPopups.push({});
    await tellArrivals([arrival('a')], [aRequest('s')]);
    expect(writeText).not.toHaveBeenCalled();
    expect(notes()).toEqual([]);
  });
});

describe('a request that needs the person', () => {
  const problem = { code: 'invalid_url' as const, message: '<b>No.</b>' };

  test('is told of by its title, or its address, and why', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    await tellArrivals([], [aRequest('s', { problem }), aRequest('t', { title: '' })]);
    expect(notes()).toEqual([
      { id: 's', title: '[notifyStuck]', message: 'Page s\n[problem_invalid_url]' },
      { id: 't', title: '[notifyStuck]', message: 'https://x.example/t\n' },
    ]);
  });

  test('of a private window is told of without a word of where it was', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    await tellArrivals([], [aRequest('s', { problem, private: true })]);
    expect(notes()).toMatchObject([{ message: '[problem_invalid_url]' }]);
  });
});

describe('a refused right-click', () => {
  test('without a connection opens the options', async () => {
    await tellRefusal('no_connection');
    expect(browser.runtime.openOptionsPage).toHaveBeenCalledTimes(1);
  });

  test('says why, to those who want notifications', async () => {
    await tellRefusal('own_short_link');
    expect(notes()).toEqual([]);
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    await tellRefusal('own_short_link');
    expect(notes()).toMatchObject([{ message: '[refusal_own_short_link]' }]);
    expect(browser.runtime.openOptionsPage).not.toHaveBeenCalled();
  });
});

describe('the badge', () => {
  const text = (parts: Parameters<typeof aSnapshot>[0]) => badgeOf(aSnapshot(parts)).text;
  const stuck = [aRequest('f', { state: 'failed' }), aRequest('u', { state: 'unknown' })];

  test('is empty when nothing is on its way', () => {
    expect(text({})).toBe('');
  });

  test('counts what is on its way, to ninety-nine', () => {
    expect(text({ requests: [aRequest('a'), aRequest('b', { state: 'sending' })] })).toBe('2');
    const many = (count: number) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`));
    expect([text({ requests: many(99) }), text({ requests: many(100) })]).toEqual(['99', '99+']);
  });

  test('counts what needs the person before anything else, in another colour', () => {
    const requests = [aRequest('a'), ...stuck, aRequest('b')];
    expect(text({ requests })).toBe('2');
    expect(badgeOf(aSnapshot({ requests })).color).not.toBe(badgeOf(aSnapshot({ requests: [aRequest('a')] })).color);
  });

  test('counts what is sent again by itself as on its way', () => {
    const queue = { attempt: anAttempt(['u'], { inFlight: false }) };
    expect(text({ connection: fullService(), queue, requests: stuck })).toBe('1');
    const repeated = badgeOf(aSnapshot({ connection: fullService(), queue, requests: stuck.slice(1) }));
    expect(repeated).toEqual(badgeOf(aSnapshot({ requests: [aRequest('a')] })));
  });
});

describe('a click in the menu', () => {
  const info = { editable: false, modifiers: [], pageUrl: 'https://x.example/page' };
  const tab = { title: 'The page' } as Parameters<typeof chosen>[1];

  test.each([
    ['on the page', { ...info, menuItemId: 'shorten-page' }, { url: 'https://x.example/page', title: 'The page' }],
    [
      'on a link',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', linkText: 'There' },
      { url: 'https://y.example/', title: 'There' },
    ],
    [
      'on a link around an image',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/', title: '' },
    ],
    [
      'on an image',
      { ...info, menuItemId: 'shorten-image', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/i.png', title: '' },
    ],
    [
      'on a film',
      { ...info, menuItemId: 'shorten-media', srcUrl: 'https://y.example/f.webm' },
      { url: 'https://y.example/f.webm', title: '' },
    ],
    ['on nothing that has an address', { ...info, menuItemId: 'shorten-image' }, null],
  ])('%s', (_name, clicked, result) => {
    expect(chosen(clicked, tab)).toEqual(result);
  });

  test('without a tab has no title', () => {
    expect(chosen({ ...info, menuItemId: 'shorten-page' }, undefined)).toMatchObject({ title: '' });
  });
});

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
