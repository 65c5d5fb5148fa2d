import browser from '../../browser/browser.ts';

export interface NotificationText {
  title: string;
  message: string;
}

/** Shows a notification if the user allows notifications. Returns true if the notification was shown. Never throws. */
export async function showNotification(id: string, words: NotificationText): Promise<boolean> {
  try {
    if (!browser.notifications) return false;
    await browser.notifications.create(id, {
      type: 'basic',
      iconUrl: browser.runtime.getURL('icons/icon-128.png'),
      ...words,
    });
    return true;
  } catch {
    return false;
  }
}
