import { beforeEach, expect, test, vi } from 'vitest';
import {
  handToPopup,
  type PopupTarget,
  takePopupTarget,
  watchPopupTarget,
} from '../../../src/messages/popup-target.ts';
import { freshDisk } from '../support/disk.ts';

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
  await handToPopup(TARGET);
  expect(await takePopupTarget(NOW + 300)).toEqual(TARGET);
  expect(await takePopupTarget(NOW + 300)).toBeNull();
});

test('is nothing to a popup that the person opens later, and is not left behind', async () => {
  await handToPopup(TARGET);
  expect(await takePopupTarget(NOW + 10_001)).toBeNull();
  expect(await takePopupTarget(NOW)).toBeNull();
});

test('reaches a popup that is open already', async () => {
  const handed = vi.fn();
  const stop = watchPopupTarget(handed);
  await handToPopup(TARGET);
  expect(handed).toHaveBeenCalledOnce();
  // Taking it is no news.
  await takePopupTarget(NOW);
  expect(handed).toHaveBeenCalledOnce();
  stop();
  await handToPopup(TARGET);
  expect(handed).toHaveBeenCalledOnce();
});
