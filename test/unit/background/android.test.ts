import { beforeEach, expect, test, vi } from 'vitest';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { GRANTED_LOCKS } from '../support/locks.ts';
import { connected } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const PAGE = 'chrome-extension://abcdefgh/src/pages/popup/index.html';

const event = () => ({ addListener: vi.fn() });
const onMessage = { addListener: vi.fn() };
const tabClosed = event();

/**
 * Provides the browser APIs that Firefox for Android supports. It lacks menus, keyboard shortcuts, the address bar
 * and windows.
 */
beforeEach(() => {
  vi.resetModules();
  onMessage.addListener.mockClear();
  tabClosed.addListener.mockClear();
  freshDisk();
  const { runtime, alarms, notifications, permissions, tabs } = browser;
  Object.assign(runtime, { onMessage, onInstalled: event(), onStartup: event(), onUpdateAvailable: event() });
  Object.assign(alarms, { onAlarm: event() });
  Object.assign(notifications, { onClicked: event() });
  Object.assign(permissions, { onAdded: event(), onRemoved: event() });
  Object.assign(tabs, { onRemoved: tabClosed });
  Object.assign(browser, { contextMenus: undefined, omnibox: undefined, windows: undefined });
  vi.stubGlobal('self', { addEventListener: vi.fn() });
  vi.stubGlobal('navigator', { onLine: true, locks: GRANTED_LOCKS });
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
});

test('without menus, shortcuts, address bar and windows, the background starts and answers its pages', async () => {
  expect(browser).not.toHaveProperty('commands');
  await connected();
  const failed = vi.fn();
  process.on('unhandledRejection', failed);
  await import('../../../src/background/index.ts');
  expect(tabClosed.addListener).toHaveBeenCalledTimes(1);
  const [listener] = onMessage.addListener.mock.calls[0] ?? [];
  const order = { id: 'a', url: 'https://x.example/', title: '' };
  const options = { shortCode: null, title: null, expiresAt: null };
  const message = { type: 'shorten', orders: [order], connectionId: null, options, anew: false };
  const reply = await listener(message, { id: browser.runtime.id, url: PAGE });
  expect(reply).toMatchObject({ ok: true, value: { requestIds: ['a'] } });
  expect(failed).not.toHaveBeenCalled();
  process.off('unhandledRejection', failed);
});

test('the background starts if the browser refuses the description for the address bar', async () => {
  // After a reload, Chromium sometimes starts the worker without translations, and then refuses the empty text.
  const refused = vi.fn(() => {
    throw new TypeError('Invalid description');
  });
  const listeners = {
    onInputStarted: event(),
    onInputChanged: event(),
    onInputEntered: event(),
    onInputCancelled: event(),
  };
  Object.assign(browser, { omnibox: { ...listeners, setDefaultSuggestion: refused } });
  await import('../../../src/background/index.ts');
  expect(refused).toHaveBeenCalledTimes(1);
});
