import browser from '../../browser/browser.ts';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget } from '../../urls/shortenable-url-rules.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** Tab over which the popup was opened. */
export interface Tab {
  /** Undefined in a separate popup window, which has no tab. */
  id: number | undefined;
  /** Undefined if the browser does not report the URL. */
  url: string | undefined;
  title: string;
  /** The site's icon. Null if it is not a `data:` URL, because the popup sends no requests for icons. */
  icon: string | null;
  private: boolean;
  /** Time when the popup was opened, in milliseconds since the epoch. */
  openedAt: number;
}

/**
 * Page or URL that the popup shortens. This is the page in the current tab, or another URL that the user typed or
 * chose from a menu.
 */
export interface CurrentTarget {
  /** The cleaned-up URL, or the unchanged URL if it cannot be shortened. */
  url: string | undefined;
  /** URL before the link defaults were applied. */
  original: string | undefined;
  title: string;
  /** Icon of the site in the current tab. Null if the user chose another URL, or if the site has no icon. */
  icon: string | null;
  blocked: NotShortenable | null;
  userInfoRemoved: boolean;
  /**
   * True if the URL differs from the URL of the current page. The popup then shows a button that returns to this
   * page.
   */
  isOther: boolean;
}

/** Link defaults that change nothing, for a URL from the form, which has already applied the user's defaults. */
const APPLIED: UrlDefaults = { removeTracking: false, dropTextFragment: false };

export function currentTarget(
  tab: Tab,
  order: ShortenProgress | null,
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
): CurrentTarget {
  const page = describe(tab.url, tab.title, isOwn, defaults);
  if (!order || orderUrl(order, defaults) === page.url) return { ...page, icon: tab.icon, isOther: false };
  const { url, title, userInfoRemoved } = order;
  const isOther = url !== (page.original ?? '');
  const target = describe(url, title, isOwn, order.options === null ? defaults : APPLIED);
  return { ...target, icon: isOther ? null : tab.icon, userInfoRemoved, isOther };
}

function describe(url: string | undefined, title: string, isOwn: IsOwnShortUrl, defaults: UrlDefaults) {
  const target = pageTarget(url, isOwn);
  if ('blocked' in target) return { url, original: url, title, blocked: target.blocked, userInfoRemoved: false };
  const { url: original, userInfoRemoved } = target;
  return { url: applyUrlDefaults(original, defaults), original, title, blocked: null, userInfoRemoved };
}

/**
 * Returns the page's cleaned-up URL, even if it is one of the user's short URLs. The popup uses this URL to find the
 * page's links.
 */
export function pageUrl(tab: Tab, defaults: UrlDefaults): string | undefined {
  const { url, blocked } = describe(tab.url, '', () => false, defaults);
  return blocked === null ? url : undefined;
}

/**
 * Returns the URL of a command after applying the link defaults. A URL from the form is returned unchanged, because
 * the form has already applied the defaults.
 */
export function orderUrl({ url, options }: ShortenProgress, defaults: UrlDefaults): string {
  return options === null ? applyUrlDefaults(url, defaults) : url;
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
 * True in a separate popup window. The background worker opens this window if the browser cannot open the popup or
 * cannot show private data in it.
 */
export const isWindow = () => new URLSearchParams(location.search).has('window');

/**
 * True if the popup for `tab` may show the result of a menu or shortcut command. The command must not come from
 * another tab. A result from a private window is shown only in private windows.
 */
export function isForPopup({ private: isPrivate, tabId }: PopupTarget, tab: Tab): boolean {
  const isSameTab = tabId === undefined || tab.id === undefined || tab.id === tabId;
  return isSameTab && (tab.private || !isPrivate);
}

export async function readOpening(): Promise<Opening> {
  const below = tabBelow();
  const [handed, tab] = await Promise.all([
    popupTarget.take(async (target) => isWindow() || isForPopup(target, await below)).catch(() => null),
    below,
  ]);
  if (!isWindow() || !handed) return { tab, handed };
  // A separate popup window has no tab, so the URL and title come from the menu or shortcut command.
  const { url, title, private: isPrivate } = handed;
  return { tab: { ...tab, id: undefined, url, title, icon: null, private: isPrivate }, handed };
}

async function tabBelow(): Promise<Tab> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const { id, url, title = '', favIconUrl = '', incognito = true } = tab ?? {};
  const icon = favIconUrl.startsWith('data:image/') ? favIconUrl : null;
  return { id, url, title, icon, private: incognito, openedAt: performance.timeOrigin };
}
