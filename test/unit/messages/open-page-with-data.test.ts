import { beforeEach, expect, test, vi } from 'vitest';
import {
  handedList,
  openPrivately,
  openWithList,
  type PopupTarget,
  popupTarget,
} from '../../../src/messages/open-page-with-data.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const NOW = 1_000_000;
const ANY = () => true;
const TARGET: PopupTarget = {
  orderId: 'order-1',
  url: 'https://example.org/',
  title: 'Example',
  private: true,
  at: NOW,
};

test('handed-over data waits for a popup that opens half a minute later', async () => {
  await popupTarget.give(TARGET);
  expect(await popupTarget.take(ANY, NOW + 30_000)).toEqual(TARGET);
});

test('handed-over data is ignored by a popup that opens much later, and is deleted', async () => {
  await popupTarget.give(TARGET);
  expect(await popupTarget.take(ANY, NOW + 60_001)).toBeNull();
  expect(await popupTarget.take(ANY, NOW)).toBeNull();
});

test('handed-over data is kept for its page, and deleted when it is old', async () => {
  await popupTarget.give(TARGET);
  const isForPage = ({ private: isPrivate }: PopupTarget) => !isPrivate;
  expect(await popupTarget.take(isForPage, NOW)).toBeNull();
  expect(await popupTarget.take(ANY, NOW)).toEqual(TARGET);
  await popupTarget.give(TARGET);
  expect(await popupTarget.take(isForPage, NOW + 60_001)).toBeNull();
  expect(browser.storage.session.dump()).toBe('{}');
});

test('a text that is too long opens the page with a message', async () => {
  const text = `https://x.example/ ${'a'.repeat(11 * 1024 * 1024)}`;
  await openWithList({ text, tabId: 7 });
  expect(browser.tabs.create).toHaveBeenCalledOnce();
  expect(await handedList.take()).toMatchObject({ text: '', isTooLong: true, tabId: 7 });
  const short = 'https://x.example/ '.repeat(1_000);
  await openWithList({ text: short, tabId: null });
  expect(await handedList.take()).toMatchObject({ text: short, tabId: null });
  await openWithList({ text: short, tabId: null });
  expect(await handedList.take()).not.toHaveProperty('isTooLong');
});

test('a private link opens in a private window, which is opened if there is none', async () => {
  const url = 'https://s.example/a';
  vi.clearAllMocks();
  windows.getAll.mockResolvedValueOnce([
    { id: 3, incognito: true },
    { id: 4, incognito: false },
  ]);
  await openPrivately(url);
  expect(browser.tabs.create.mock.calls).toEqual([[{ url, windowId: 3 }]]);
  expect(windows.create).not.toHaveBeenCalled();

  windows.getAll.mockResolvedValueOnce([{ id: 4, incognito: false }]);
  await openPrivately(url);
  expect(browser.tabs.create).toHaveBeenCalledOnce();
  expect(windows.create.mock.calls).toEqual([[{ url, incognito: true }]]);
});
