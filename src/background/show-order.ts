import browser from 'webextension-polyfill';
import { handToPopup, type PopupTarget } from '../messages/popup-target.ts';
import { readSettings } from '../storage/settings.ts';
import { notify } from './notify.ts';

const POPUP = 'src/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows what became of an order from a menu or a shortcut, where no page of ours is open: the popup opens and shows it.
 * Where the person chose notifications, those do, and nothing opens.
 */
export async function showOrder(
  target: PopupTarget,
  notification: { title: string; message: string } | null,
): Promise<void> {
  const { notifications } = await readSettings();
  if (notifications) {
    if (notification) await notify(target.orderId, notification.title, notification.message);
    return;
  }
  await handToPopup(target);
  await browser.action.openPopup().catch(openWindow);
}

/** A browser that opens no popup by itself gets the same page in a small window, or, where there are none, in a tab. */
async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
