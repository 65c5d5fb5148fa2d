import { beforeEach, expect, test, vi } from 'vitest';
import { onInstalled } from '../../../src/background/on-install.ts';
import { readHasReleaseNotes } from '../../../src/components/release-notes.tsx';
import { browser, resetBrowser, windows } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const URL = 'chrome-extension://abcdefgh/src/pages/welcome/index.html';

beforeEach(resetBrowser);

const install = (isConnected = false) => onInstalled({ reason: 'install', temporary: false }, async () => isConnected);
const opened = () => [...browser.tabs.create.mock.calls, ...windows.create.mock.calls].flat();

test('an installation opens one page, in the window in front', async () => {
  await install();
  expect(opened()).toEqual([{ url: URL }]);
  expect(windows.create).not.toHaveBeenCalled();
});

test('where a private window is in front, it opens in another one', async () => {
  windows.getLastFocused.mockResolvedValueOnce({ incognito: true });
  await install();
  expect(windows.create.mock.calls).toEqual([[{ url: URL }]]);
  expect(browser.tabs.create).not.toHaveBeenCalled();
});

test('where only private windows are open, which it is not allowed to see, it opens a window', async () => {
  windows.getLastFocused.mockRejectedValueOnce(new Error('No last-focused window'));
  await install();
  expect(windows.create.mock.calls).toEqual([[{ url: URL }]]);
  expect(browser.tabs.create).not.toHaveBeenCalled();
});

test('where a private window is open behind another one, it opens in that one', async () => {
  windows.getAll.mockResolvedValueOnce([{ incognito: true }, { incognito: false }]);
  await install();
  expect(browser.tabs.create.mock.calls).toEqual([[{ url: URL }]]);
});

test('where there are no windows, as on Android, it opens in a tab', async () => {
  browser.windows = undefined;
  await install();
  expect(opened()).toEqual([{ url: URL }]);
});

test('who is connected already is not new', async () => {
  await install(true);
  expect(opened()).toEqual([]);
});

test('of two updates the earlier version stays noted, until the news are put away', async () => {
  const update = (previousVersion: string) =>
    onInstalled({ reason: 'update', previousVersion, temporary: false }, async () => true);
  await update('0.1.0');
  await update('0.2.0');
  expect(await browser.storage.local.get('updatedFrom')).toEqual({ updatedFrom: '0.1.0' });
  expect(await readHasReleaseNotes()).toBe(true);
  await browser.storage.local.remove('updatedFrom');
  await update('0.2.1');
  expect(await readHasReleaseNotes()).toBe(false);
});

test.each(['update', 'browser_update'] as const)('after %s nothing opens', async (reason) => {
  await onInstalled({ reason, previousVersion: '0.1.0', temporary: false }, async () => false);
  expect(opened()).toEqual([]);
  const noted = await browser.storage.local.get('updatedFrom');
  expect(noted).toEqual(reason === 'update' ? { updatedFrom: '0.1.0' } : {});
});
