import browser from '../../browser/browser.ts';

/** What a notification says. */
export interface NotificationText {
  title: string;
  message: string;
}

/**
 * Shows a notification, where the person has allowed them. Titles and addresses in it are only ever text. Returns whether
 * it was shown; never throws.
 */
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
