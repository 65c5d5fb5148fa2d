import { beforeEach, expect, test, vi } from 'vitest';
import { onInstalled } from '../../../src/background/create-background.ts';
import { browser, resetBrowser, windows } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const URL = 'chrome-extension://abcdefgh/src/pages/welcome/index.html';

beforeEach(resetBrowser);

const install = (isConnected = false) => onInstalled({ reason: 'install', temporary: false }, async () => isConnected);
const opened = () => [...browser.tabs.create.mock.calls, ...windows.create.mock.calls].flat();

test('installing opens one page in the focused window', async () => {
  await install();
  expect(opened()).toEqual([{ url: URL }]);
  expect(windows.create).not.toHaveBeenCalled();
});

test('if a private window has the focus, the page opens in another window', async () => {
  windows.getLastFocused.mockResolvedValueOnce({ incognito: true });
  await install();
  expect(windows.create.mock.calls).toEqual([[{ url: URL }]]);
  expect(browser.tabs.create).not.toHaveBeenCalled();
});

test('if only private windows without access are open, the page opens in a new window', async () => {
  windows.getLastFocused.mockRejectedValueOnce(new Error('No last-focused window'));
  await install();
  expect(windows.create.mock.calls).toEqual([[{ url: URL }]]);
  expect(browser.tabs.create).not.toHaveBeenCalled();
});

test('if a private window is open behind another window, the page opens in the other window', async () => {
  windows.getAll.mockResolvedValueOnce([{ incognito: true }, { incognito: false }]);
  await install();
  expect(browser.tabs.create.mock.calls).toEqual([[{ url: URL }]]);
});

test('without windows, as on Android, the page opens in a tab', async () => {
  browser.windows = undefined;
  await install();
  expect(opened()).toEqual([{ url: URL }]);
});

test('a user with a connection does not see the welcome page', async () => {
  await install(true);
  expect(opened()).toEqual([]);
});

test.each(['update', 'browser_update'] as const)('after %s nothing opens', async (reason) => {
  await onInstalled({ reason, previousVersion: '0.1.0', temporary: false }, async () => false);
  expect(opened()).toEqual([]);
});
