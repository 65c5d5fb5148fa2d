import { takeHandedOver } from '../messages/hand-over.ts';
import { type PopupTarget, popupTarget } from '../messages/popup-target.ts';
import browser from '../platform/browser.ts';
import type { Tab } from './current-target.ts';

/** What the popup is opened with: the tab it is over, and what a menu or a shortcut has handed to it. */
export interface Opening {
  tab: Tab;
  handed: PopupTarget | null;
}

/** Where no popup opens by itself, or none that may show what is private, the background opens this page in a window of its own. */
export const isWindow = () => new URLSearchParams(location.search).has('window');

/**
 * Whether the popup over this tab is to show what was handed over: nothing private outside private windows, and nothing that
 * was asked for in another tab.
 */
export function isForPopup({ private: isPrivate, tabId }: PopupTarget, tab: Tab): boolean {
  const isSameTab = tabId === undefined || tab.id === undefined || tab.id === tabId;
  return isSameTab && (tab.private || !isPrivate);
}

export async function readOpening(): Promise<Opening> {
  const below = tabBelow();
  const [handed, tab] = await Promise.all([
    takeHandedOver(popupTarget, async (target) => isWindow() || isForPopup(target, await below)).catch(() => null),
    below,
  ]);
  if (!isWindow() || !handed) return { tab, handed };
  // A window of its own is over no page: what was handed over takes its place.
  const { url, title, private: isPrivate } = handed;
  return { tab: { ...tab, id: undefined, url, title, private: isPrivate }, handed };
}

async function tabBelow(): Promise<Tab> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const { id, url, title = '', incognito = true } = tab ?? {};
  return { id, url, title, private: incognito, openedAt: performance.timeOrigin };
}
