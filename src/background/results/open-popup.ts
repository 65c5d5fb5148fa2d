import browser from '../../browser/browser.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page.ts';
import { readReporting } from '../../storage/settings.ts';
import { frontTab, mayBePrivate } from '../private-windows.ts';
import { type NotificationText, showNotification } from './notifications.ts';

const POPUP = 'src/pages/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows the progress or result of a link request from a menu or keyboard shortcut. Opens the popup, unless the user
 * prefers notifications and one can be shown.
 */
export async function showRequest(target: PopupTarget, notification: NotificationText | null): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // Without a text, the link request is still in progress. Its notification follows when the link is created.
    if (!notification || (await showNotification(target.orderId, notification))) return;
  }
  await popupTarget.give(target).catch(() => undefined);
  // The private window may have closed meanwhile. If so, delete the target, which contains private data.
  if (target.private && !(await mayBePrivate())) return popupTarget.forgetPrivate();
  try {
    if (await popupShows(target)) return await browser.action.openPopup();
  } catch {
    // Some browsers do not let extensions open the popup.
  }
  await openWindow();
}

/** True if the popup may show the target. A popup over an ordinary window must not show data of private windows. */
export async function popupShows({ private: isPrivate, tabId }: PopupTarget): Promise<boolean> {
  return !isPrivate || tabId !== undefined || mayBePrivate(await frontTab());
}

async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
