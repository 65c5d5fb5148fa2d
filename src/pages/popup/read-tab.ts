import browser from '../../browser/browser.ts';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget, type Target } from '../../urls/shortenable-url-rules.ts';
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

export function currentTarget(
  tab: Tab,
  order: ShortenProgress | null,
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
): CurrentTarget {
  const page = pageTarget(tab.url, isOwn);
  const { url } = describe(page, tab.url, tab.title, defaults);
  if (order && orderUrl(order, defaults) !== url) {
    const target = pageTarget(order.url, isOwn);
    const isOther = order.url !== (urlOf(page) ?? tab.url ?? '');
    const described = describe(target, order.url, order.title, order.options === null ? defaults : null);
    return { ...described, icon: isOther ? null : tab.icon, userInfoRemoved: order.userInfoRemoved, isOther };
  }
  return { ...describe(page, tab.url, tab.title, defaults), icon: tab.icon, isOther: false };
}

/**
 * Returns the page's cleaned-up URL, even if it is one of the user's short URLs. The popup uses this URL to find the
 * page's links.
 */
export function pageUrl(tab: Tab, defaults: UrlDefaults): string | undefined {
  const url = urlOf(pageTarget(tab.url, () => false));
  return url && applyUrlDefaults(url, defaults);
}

/**
 * Returns the URL of a command after applying the link defaults. A URL from the form is returned unchanged, because
 * the form has already applied the defaults.
 */
export function orderUrl({ url, options }: ShortenProgress, defaults: UrlDefaults): string {
  return options === null ? applyUrlDefaults(url, defaults) : url;
}

/** @param defaults null if the link defaults are already applied */
function describe(target: Target, url: string | undefined, title: string, defaults: UrlDefaults | null) {
  if ('blocked' in target) return { url, original: url, title, blocked: target.blocked, userInfoRemoved: false };
  const { url: original, userInfoRemoved } = target;
  return {
    url: defaults ? applyUrlDefaults(original, defaults) : original,
    original,
    title,
    blocked: null,
    userInfoRemoved,
  };
}

function urlOf(target: Target): string | undefined {
  return 'url' in target ? target.url : undefined;
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
