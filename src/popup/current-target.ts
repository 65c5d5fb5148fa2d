import type { Blocked, IsOwnShortUrl, Target } from '../target/target.ts';
import { pageTarget } from '../target/target.ts';
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
  title: string;
  blocked: Blocked | null;
  userInfoRemoved: boolean;
  /** It is not the page: there is a way back to that. */
  isOther: boolean;
}

export function currentTarget(tab: Tab, order: PlacedOrder | null, isOwn: IsOwnShortUrl): CurrentTarget {
  const page = pageTarget(tab.url, isOwn);
  if (order && order.url !== urlOf(page)) {
    const target = pageTarget(order.url, isOwn);
    const isOther = order.url !== (tab.url ?? '');
    return { ...describe(target, order.url, order.title), userInfoRemoved: order.userInfoRemoved, isOther };
  }
  return { ...describe(page, tab.url, tab.title), isOther: false };
}

/** The page's address as it would go out, whatever is known of own short URLs: what links are looked up by. */
export function pageUrl(tab: Tab): string | undefined {
  return urlOf(pageTarget(tab.url, () => false));
}

function describe(target: Target, url: string | undefined, title: string) {
  return 'url' in target
    ? { url: target.url, title, blocked: null, userInfoRemoved: target.userInfoRemoved }
    : { url, title, blocked: target.blocked, userInfoRemoved: false };
}

function urlOf(target: Target): string | undefined {
  return 'url' in target ? target.url : undefined;
}
