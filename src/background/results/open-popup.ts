import browser from '../../browser/browser.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page.ts';
import { readReporting } from '../../storage/settings.ts';
import { frontTab, mayBePrivate } from '../private-windows.ts';
import { type NotificationText, showNotification } from './notifications.ts';

const POPUP = 'src/pages/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows the progress or result of a request from a menu or shortcut. The popup opens, unless the user chose
 * notifications and one can be shown.
 */
export async function showRequest(target: PopupTarget, notification: NotificationText | null): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // Without a text, the request is in progress, and a notification follows when it is done.
    if (!notification || (await showNotification(target.orderId, notification))) return;
  }
  // Without the target, the popup still shows the waiting requests.
  await popupTarget.give(target).catch(() => undefined);
  // The private window may have closed meanwhile, so the target must be deleted.
  if (target.private && !(await mayBePrivate())) return popupTarget.forgetPrivate();
  try {
    if (await popupShows(target)) return await browser.action.openPopup();
  } catch {
    // Some browsers do not let extensions open the popup.
  }
  await openWindow();
}

/** True if the popup can show this target. A popup over an ordinary window shows nothing private. */
export async function popupShows({ private: isPrivate, tabId }: PopupTarget): Promise<boolean> {
  return !isPrivate || tabId !== undefined || mayBePrivate(await frontTab());
}

/** Opens the popup's page in a small window, or in a tab if the browser has no windows. */
async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
