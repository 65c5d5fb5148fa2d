import browser, { type Runtime } from '../platform/browser.ts';

/**
 * Whether a message comes from one of the extension's own pages: only they may ask for anything. Where the browser
 * leaves the origin out, the page's address tells.
 */
export function isOwnPage(sender: Runtime.MessageSender & { origin?: string }): boolean {
  if (sender.id !== browser.runtime.id) return false;
  const home = browser.runtime.getURL('/');
  return sender.origin === undefined ? (sender.url ?? '').startsWith(home) : `${sender.origin}/` === home;
}
