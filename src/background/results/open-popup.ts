import browser from '../../browser/browser.ts';
import { frontTab, mayBePrivate } from '../../browser/tabs.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';
import { readReporting } from '../../storage/settings.ts';
import { type NotificationText, showNotification } from './notifications.ts';

const POPUP = 'src/pages/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows the progress or the result of a link request that came from a menu or a keyboard shortcut. Opens the popup,
 * unless the user prefers notifications and one can be shown.
 */
export async function showRequest(target: PopupTarget, notification: NotificationText | null): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // `notification` is null while the link request is in progress. In this case, nothing is shown yet.
    if (!notification || (await showNotification(target.orderId, notification))) return;
  }
  await showInPopup(target);
}

/** Opens the popup with the progress or the result of a link request. */
export async function showInPopup(target: PopupTarget): Promise<void> {
  // A result from a private window is not shown after the last private window was closed.
  if (target.private && !(await mayBePrivate())) return;
  await popupTarget.give(target).catch(() => undefined);
  try {
    if (await popupShows(target)) return await browser.action.openPopup();
  } catch {
    // Some browsers do not let extensions open the popup.
  }
  await openWindow();
}

/** True if the popup may show the target. A popup over an ordinary window must not show private data. */
async function popupShows({ private: isPrivate, tabId }: PopupTarget): Promise<boolean> {
  return !isPrivate || tabId !== undefined || mayBePrivate(await frontTab());
}

async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
