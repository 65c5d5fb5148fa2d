import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS, readSettings, watchSettings, writeSettings } from '../../../src/storage/settings.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

test('settings have default values at first', async () => {
  expect(await readSettings()).toEqual({
    shortenOnOpen: false,
    autoCopy: true,
    notifications: false,
    removeTracking: false,
    dropTextFragment: false,
    saveTitles: false,
    expiry: 'never',
  });
});

test('changed settings are stored, and subscribers are called', async () => {
  const changed = vi.fn();
  const stop = watchSettings(changed);
  const chosen = { ...DEFAULT_SETTINGS, expiry: 'day' as const };
  await writeSettings(chosen);
  expect(await readSettings()).toEqual(chosen);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(chosen));
  stop();
});

test.each([
  [
    { expiry: 'week', removeTracking: true, dropTextFragment: 1 },
    { ...DEFAULT_SETTINGS, expiry: 'week', removeTracking: true },
  ],
  [{ expiry: 'year' }, DEFAULT_SETTINGS],
  [
    { theme: 'dark', autoCopy: false, shortenOnOpen: 'yes', old: 1 },
    { ...DEFAULT_SETTINGS, autoCopy: false },
  ],
  ['nonsense', DEFAULT_SETTINGS],
  [[true], DEFAULT_SETTINGS],
  [null, DEFAULT_SETTINGS],
])('the valid settings of the older or broken record %j are used', async (record, settings) => {
  await browser.storage.local.set({ settings: record });
  expect(await readSettings()).toEqual(settings);
});
