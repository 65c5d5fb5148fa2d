import browser from '../../browser/browser.ts';
import { pageTitle } from '../../browser/tabs.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';

/** Tab over which the popup was opened. */
export interface Tab {
  /**
   * Undefined in a separate popup window, which has no tab. The background worker opens this window if the browser
   * cannot open the popup or cannot show private data in it.
   */
  id: number | undefined;
  /** Undefined if the browser does not report the URL. */
  url: string | undefined;
  /** True if the browser does not report the URL because the page was still loading when the popup was opened. */
  isLoading?: boolean;
  title: string;
  private: boolean;
  /** Time when the popup was opened, in milliseconds since the epoch. */
  openedAt: number;
}

/**
 * Initial values of the popup. `handed` is a command from another part of the extension, such as a menu or a
 * shortcut. It is null if there is no command.
 */
export interface Opening {
  tab: Tab;
  handed: PopupTarget | null;
}

/**
 * True if the popup for `tab` may show the result of a menu or shortcut command. The command must not come from
 * another tab. A result from a private window is shown only in private windows.
 */
function isForPopup({ private: isPrivate, tabId }: PopupTarget, tab: Tab): boolean {
  const isSameTab = tabId === undefined || tab.id === undefined || tab.id === tabId;
  return isSameTab && (tab.private || !isPrivate);
}

/** Reads the tab below the popup, and the command for which the popup was opened. */
export async function readOpening(): Promise<Opening> {
  const isWindow = new URLSearchParams(location.search).has('window');
  const below = tabBelow(isWindow);
  const [handed, tab] = await Promise.all([
    popupTarget.take(async (target) => isWindow || isForPopup(target, await below)).catch(() => null),
    below,
  ]);
  if (!isWindow || !handed) return { tab, handed };
  // A separate popup window has no tab, so the URL and title come from the menu or shortcut command.
  return { tab: { ...tab, url: handed.url, title: handed.title, private: handed.private }, handed };
}

async function tabBelow(isWindow: boolean): Promise<Tab> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const { id, url, status, incognito = true } = tab ?? {};
  const isLoading = !url && status === 'loading';
  const title = pageTitle(tab ?? {});
  const openedAt = performance.timeOrigin;
  return { id: isWindow ? undefined : id, url, isLoading, title, private: incognito, openedAt };
}
