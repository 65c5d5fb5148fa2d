import browser from '../../browser/browser.ts';
import type { ShortenProgress } from '../../components/hooks/use-shorten.ts';
import { type PopupTarget, popupTarget, takeHandedOver } from '../../messages/open-page.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget, type Target } from '../../urls/shortenable-url.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** The tab the popup was opened over. */
export interface Tab {
  /** Undefined where it is no tab: what a menu handed to a window of its own. */
  id: number | undefined;
  /** Undefined where the browser does not tell. */
  url: string | undefined;
  title: string;
  private: boolean;
  /** When the popup was opened, in milliseconds since the epoch. */
  openedAt: number;
}

/** What the popup is about: the page it was opened over, or the URL of an order that was typed or came from a menu. */
export interface CurrentTarget {
  /** As it goes out; what the browser calls it where it cannot be shortened. */
  url: string | undefined;
  /** Before the link defaults were applied. */
  original: string | undefined;
  title: string;
  blocked: NotShortenable | null;
  userInfoRemoved: boolean;
  /** It is not the page: there is a way back to that. */
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
    return { ...described, userInfoRemoved: order.userInfoRemoved, isOther };
  }
  return { ...describe(page, tab.url, tab.title, defaults), isOther: false };
}

/** The page's URL as it is sent, even if it is one of the user's own short URLs. Links are looked up by it. */
export function pageUrl(tab: Tab, defaults: UrlDefaults): string | undefined {
  const url = urlOf(pageTarget(tab.url, () => false));
  return url && applyUrlDefaults(url, defaults);
}

/** The URL of an order as it is sent. The form has applied the user's choices already. */
export function orderUrl({ url, options }: ShortenProgress, defaults: UrlDefaults): string {
  return options === null ? applyUrlDefaults(url, defaults) : url;
}

/** @param defaults null: they have been applied */
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
