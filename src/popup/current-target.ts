import type { Blocked, IsOwnShortUrl, Target } from '../target/target.ts';
import { pageTarget } from '../target/target.ts';
import { applyUrlDefaults, type UrlDefaults } from '../target/url-defaults.ts';
import type { PlacedOrder } from '../ui/use-order.ts';

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
  blocked: Blocked | null;
  userInfoRemoved: boolean;
  /** It is not the page: there is a way back to that. */
  isOther: boolean;
}

export function currentTarget(
  tab: Tab,
  order: PlacedOrder | null,
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
export function orderUrl({ url, options }: PlacedOrder, defaults: UrlDefaults): string {
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
