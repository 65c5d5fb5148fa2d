import { takeHandedOver } from '../messages/hand-over.ts';
import { type PopupTarget, popupTarget } from '../messages/popup-target.ts';
import browser from '../platform/browser.ts';
import type { Tab } from './current-target.ts';

/** What the popup is opened with: the tab it is over, and what a menu or a shortcut has handed to it. */
export interface Opening {
  tab: Tab;
  handed: PopupTarget | null;
}

/** Where the browser opens no popup by itself, the background opens this page in a window of its own. */
const IN_WINDOW = new URLSearchParams(location.search).has('window');

export async function readOpening(): Promise<Opening> {
  const [handed, [tab]] = await Promise.all([
    takeHandedOver(popupTarget).catch(() => null),
    browser.tabs.query({ active: true, currentWindow: true }),
  ]);
  const openedAt = performance.timeOrigin;
  // A window of its own is over no page: what was handed over takes its place.
  if (IN_WINDOW && handed) {
    return { tab: { id: undefined, url: handed.url, title: handed.title, private: handed.private, openedAt }, handed };
  }
  const { id, url, title = '', incognito = true } = tab ?? {};
  return { tab: { id, url, title, private: incognito || handed?.private === true, openedAt }, handed };
}
