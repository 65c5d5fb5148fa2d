import browser from '../../browser/browser.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page.ts';
import { readReporting } from '../../storage/settings.ts';
import { frontTab, mayBePrivate } from '../private-windows.ts';
import { type NotificationText, showNotification } from './notifications.ts';

const POPUP = 'src/pages/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows what became of an order from a menu or a shortcut, where no page of ours is open: the popup opens and shows it.
 * Where the person chose notifications, those do, and nothing opens unless they fail.
 */
export async function showRequest(target: PopupTarget, notification: NotificationText | null): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // One that is on its way is notified of when it is done.
    if (!notification || (await showNotification(target.orderId, notification))) return;
  }
  // A popup that was handed nothing shows what waits, which is better than none.
  await popupTarget.give(target).catch(() => undefined);
  // Its window may have closed meanwhile, and with it whatever was to be shown.
  if (target.private && !(await mayBePrivate())) return popupTarget.forgetPrivate();
  try {
    if (await popupShows(target)) return await browser.action.openPopup();
  } catch {
    // Not every browser opens a popup by itself.
  }
  await openWindow();
}

/** Whether the popup that is open, or opens now, shows this: one over an ordinary window shows nothing private. */
export async function popupShows({ private: isPrivate, tabId }: PopupTarget): Promise<boolean> {
  return !isPrivate || tabId !== undefined || mayBePrivate(await frontTab());
}

/** Where no popup opens by itself, or shows it, the same page opens in a small window, or, where there are none, in a tab. */
async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
