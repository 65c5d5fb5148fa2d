import browser from 'webextension-polyfill';

/** Shows a notification, where the person has allowed them. Titles and addresses in it are only ever text. */
export async function notify(id: string, title: string, message: string): Promise<void> {
  await browser.notifications?.create(id, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('icons/icon-128.png'),
    title,
    message,
  });
}
