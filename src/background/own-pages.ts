import browser, { type Runtime } from 'webextension-polyfill';

/**
 * Whether a message comes from one of the extension's own pages: only they may ask for anything. Where the browser
 * leaves the origin out, the page's address tells.
 */
export function isOwnPage(sender: Runtime.MessageSender & { origin?: string }): boolean {
  if (sender.id !== browser.runtime.id) return false;
  const home = new URL(browser.runtime.getURL('')).origin;
  return (sender.origin ?? URL.parse(sender.url ?? '')?.origin) === home;
}
