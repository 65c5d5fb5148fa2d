import { expect, test, vi } from 'vitest';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { GRANTED_LOCKS } from '../support/locks.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const event = () => ({ addListener: vi.fn() });

test('the background starts if the browser refuses the description for the address bar', async () => {
  freshDisk();
  const { runtime, alarms, notifications, permissions, tabs } = browser;
  Object.assign(runtime, { onMessage: event(), onInstalled: event(), onStartup: event(), onUpdateAvailable: event() });
  Object.assign(alarms, { onAlarm: event() });
  Object.assign(notifications, { onClicked: event() });
  Object.assign(permissions, { onAdded: event(), onRemoved: event() });
  Object.assign(tabs, { onRemoved: event() });
  vi.stubGlobal('self', { addEventListener: vi.fn() });
  vi.stubGlobal('navigator', { onLine: true, locks: GRANTED_LOCKS });
  // After a reload, Chromium sometimes starts the worker without translations, and then refuses the empty text.
  const refused = vi.fn(() => {
    throw new TypeError('Invalid description');
  });
  const input = {
    onInputStarted: event(),
    onInputChanged: event(),
    onInputEntered: event(),
    onInputCancelled: event(),
  };
  Object.assign(browser, {
    contextMenus: undefined,
    windows: undefined,
    omnibox: { ...input, setDefaultSuggestion: refused },
  });
  await import('../../../src/background/index.ts');
  expect(refused).toHaveBeenCalledTimes(1);
});
