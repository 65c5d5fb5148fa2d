import { beforeEach, describe, expect, test, vi } from 'vitest';
import { tellArrivals, tellRefusal } from '../../../src/background/arrivals.ts';
import type { Arrival } from '../../../src/background/pump.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { aRequest } from '../queue/given.ts';
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

  test('of a private window is notified of without its URL: systems keep notifications', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    const { link } = arrival('a');
    await tellArrivals([{ ...arrival('a'), link: { ...link, private: true } }], []);
    expect(notes()).toEqual([{ id: 'a', title: '[notifyCopied]', message: '' }]);
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
    await tellArrivals(
      [],
      [aRequest('s', { problem, state: 'failed' }), aRequest('t', { title: '', state: 'unknown' })],
    );
    expect(notes()).toEqual([
      { id: 's', title: '[notifyStuck]', message: 'Page s\n[problem_invalid_url]' },
      { id: 't', title: '[notifyStuck]', message: 'https://x.example/t\n' },
    ]);
  });

  test('as every other of its batch does is told of once', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    const halted = ['a', 'b', 'c'].map((id) => aRequest(id, { problem: { code: 'unauthorized', message: '' } }));
    await tellArrivals([], [...halted, aRequest('s', { state: 'failed', problem })]);
    expect(notes().map(({ id }) => id)).toEqual(['a', 's']);
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
