import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackground } from '../../../src/background/background.ts';
import { DATABASE_VERSION } from '../../../src/storage/database.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { connected } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(() => {
  freshDisk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await vi.runOnlyPendingTimersAsync();
  vi.useRealTimers();
});

const CLICK = { menuItemId: 'shorten-link', linkUrl: 'https://x.example/', editable: false, modifiers: [] };
const badges = () => browser.action.setBadgeText.mock.calls.map(([{ text }]) => text);

describe('where the data cannot be read', () => {
  beforeEach(async () => {
    (await openDB('terse', DATABASE_VERSION + 1)).close();
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
  });

  test.each([
    ['a right-click', () => createBackground().onMenu(CLICK)],
    ['the shortcut', () => createBackground().onCommand('shorten-page')],
  ])('%s is refused where the person sees it', async (_name, press) => {
    await press();
    expect(badges()).toEqual(['!']);
    expect(browser.notifications.create.mock.calls).toMatchObject([['refusal', { message: '[refusal_internal]' }]]);
  });
});

describe('a permission that was granted', () => {
  const halted = async () => {
    const life = await connected();
    await life.store.transact((snapshot) => ({
      snapshot: { ...snapshot, queue: { ...snapshot.queue, halt: 'unauthorized' } },
      value: null,
    }));
    return async () => (await life.snapshot()).queue.halt;
  };

  test('for a site lets the queue go on', async () => {
    const halt = await halted();
    await createBackground().onPermission({ origins: ['https://a.example/*'] });
    expect(await halt()).toBeNull();
  });

  test('for anything else mends no connection', async () => {
    const halt = await halted();
    await createBackground().onPermission({ permissions: ['notifications'], origins: [] });
    expect(await halt()).toBe('unauthorized');
  });
});
