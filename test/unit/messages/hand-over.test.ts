import { beforeEach, expect, test, vi } from 'vitest';
import { takeHandedOver, watchHandedOver } from '../../../src/messages/hand-over.ts';
import { openWithList, takeHandedList } from '../../../src/messages/handed-list.ts';
import { type PopupTarget, popupTarget } from '../../../src/messages/popup-target.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const NOW = 1_000_000;
const TARGET: PopupTarget = {
  orderId: 'order-1',
  url: 'https://example.org/',
  title: 'Example',
  private: true,
  at: NOW,
};

test('is taken once', async () => {
  await popupTarget.give(TARGET);
  expect(await takeHandedOver(popupTarget, NOW + 300)).toEqual(TARGET);
  expect(await takeHandedOver(popupTarget, NOW + 300)).toBeNull();
});

test('waits for a popup that a busy computer opens half a minute later', async () => {
  await popupTarget.give(TARGET);
  expect(await takeHandedOver(popupTarget, NOW + 30_000)).toEqual(TARGET);
});

test('is nothing to a popup that the person opens later, and is not left behind', async () => {
  await popupTarget.give(TARGET);
  expect(await takeHandedOver(popupTarget, NOW + 60_001)).toBeNull();
  expect(await takeHandedOver(popupTarget, NOW)).toBeNull();
});

test('reaches a popup that is open already', async () => {
  const handed = vi.fn();
  const stop = watchHandedOver(popupTarget, handed);
  await popupTarget.give(TARGET);
  expect(handed).toHaveBeenCalledOnce();
  // Taking it is no news.
  await takeHandedOver(popupTarget, NOW);
  expect(handed).toHaveBeenCalledOnce();
  stop();
  await popupTarget.give(TARGET);
  expect(handed).toHaveBeenCalledOnce();
});

test('a text that is too long for memory opens the page all the same, which says so', async () => {
  const text = `https://x.example/ ${'a'.repeat(11 * 1024 * 1024)}`;
  await openWithList({ text, tabId: 7, private: true });
  expect(browser.tabs.create).toHaveBeenCalledOnce();
  expect(await takeHandedList()).toMatchObject({ text: '', isTooLong: true, tabId: 7, private: true });
  const short = 'https://x.example/ '.repeat(1_000);
  await openWithList({ text: short, tabId: null, private: false });
  expect(await takeHandedList()).toMatchObject({ text: short, tabId: null });
  await openWithList({ text: short, tabId: null, private: false });
  expect(await takeHandedList()).not.toHaveProperty('isTooLong');
});
