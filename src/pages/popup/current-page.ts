import browser from '../../browser/browser.ts';
import type { ShortenProgress } from '../../components/hooks/use-shorten.ts';
import { type PopupTarget, popupTarget, takeHandedOver } from '../../messages/open-page.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget, type Target } from '../../urls/shortenable-url.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** Tab over which the popup was opened. */
export interface Tab {
  /** Undefined in a separate window that was opened from a menu. */
  id: number | undefined;
  /** Undefined if the browser does not report it. */
  url: string | undefined;
  title: string;
  /** The site's icon as a `data:` URL. Null if the browser hands over no such data: the popup requests nothing. */
  icon: string | null;
  private: boolean;
  /** Time when the popup was opened, in milliseconds since the epoch. */
  openedAt: number;
}

/** Page or URL that the popup shortens: the current tab, or the URL of a command that was typed or came from a menu. */
export interface CurrentTarget {
  /** The cleaned-up URL. If it cannot be shortened, the URL as the browser reports it. */
  url: string | undefined;
  /** URL before the link defaults were applied. */
  original: string | undefined;
  title: string;
  /** Icon of the tab's site; null for other URLs. */
  icon: string | null;
  blocked: NotShortenable | null;
  userInfoRemoved: boolean;
  /** True if it is not the current page, so that there is a way back. */
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

/** Returns the page's cleaned-up URL, even if it is one of the user's short URLs. Links are looked up by it. */
export function pageUrl(tab: Tab, defaults: UrlDefaults): string | undefined {
  const url = urlOf(pageTarget(tab.url, () => false));
  return url && applyUrlDefaults(url, defaults);
}

/** Returns the cleaned-up URL of a command. If it came from the form, it is cleaned up already. */
export function orderUrl({ url, options }: ShortenProgress, defaults: UrlDefaults): string {
  return options === null ? applyUrlDefaults(url, defaults) : url;
}

/** @param defaults null if they were applied already */
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

/** Start values of the popup: its tab, and a command from a menu or a shortcut. */
export interface Opening {
  tab: Tab;
  handed: PopupTarget | null;
}

/**
 * True in a separate window. The background opens one if the browser cannot open the popup or cannot show private data
 * in it.
 */
export const isWindow = () => new URLSearchParams(location.search).has('window');

/**
 * True if the popup over this tab may show a command from a menu or a shortcut. Private commands appear only in private
 * windows, and commands of other tabs not at all.
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
  // A separate window has no tab, so the command's page takes its place.
  const { url, title, private: isPrivate } = handed;
  return { tab: { ...tab, id: undefined, url, title, icon: null, private: isPrivate }, handed };
}

async function tabBelow(): Promise<Tab> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const { id, url, title = '', favIconUrl = '', incognito = true } = tab ?? {};
  const icon = favIconUrl.startsWith('data:image/') ? favIconUrl : null;
  return { id, url, title, icon, private: incognito, openedAt: performance.timeOrigin };
}
