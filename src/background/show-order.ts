import { type PopupTarget, popupTarget } from '../messages/popup-target.ts';
import browser from '../platform/browser.ts';
import { readReporting } from '../storage/settings.ts';
import { notify } from './notify.ts';
import { mayBePrivate } from './private-windows.ts';

const POPUP = 'src/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows what became of an order from a menu or a shortcut, where no page of ours is open: the popup opens and shows it.
 * Where the person chose notifications, those do, and nothing opens unless they fail.
 */
export async function showOrder(
  target: PopupTarget,
  notification: { title: string; message: string } | null,
): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // One that is on its way is notified of when it is done.
    if (!notification || (await notify(target.orderId, notification.title, notification.message))) return;
  }
  // A popup that was handed nothing shows what waits, which is better than none.
  await popupTarget.give(target).catch(() => undefined);
  // Its window may have closed meanwhile, and with it whatever was to be shown.
  if (target.private && !(await mayBePrivate())) return popupTarget.forgetPrivate();
  await openPopup().catch(openWindow);
}

async function openPopup(): Promise<void> {
  await browser.action.openPopup();
}

/** A browser that opens no popup by itself gets the same page in a small window, or, where there are none, in a tab. */
async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
