import type { RefusalCode } from '../messages/messages.ts';
import { type Standing, standingOf } from '../queue/standing.ts';
import type { Link, Request, Time } from '../queue/types.ts';
import type { View, Wanted } from '../storage/view.ts';
import { type Blocked, pageTarget } from '../target/target.ts';

/** The tab the popup was opened over. */
export interface Tab {
  /** Undefined where the browser does not tell. */
  url: string | undefined;
  title: string;
  private: boolean;
  /** When the popup was opened, in milliseconds since the epoch. */
  openedAt: number;
}

/** What the person asked for in this popup. Its id is the request's, so asking again is asking once. */
export type Wish = { id: string; url: string; title: string } & (
  | { state: 'asking' | 'accepted' | 'lost' }
  | { state: 'refused'; code: RefusalCode }
);

/** What the popup is about: the page it was opened over, or a URL typed into it. */
export interface Subject {
  url: string | undefined;
  title: string;
  typed: boolean;
}

/** What the middle of the popup shows of its subject. */
export type Stage =
  | { kind: 'blocked'; reason: Blocked }
  | { kind: 'connect' }
  | { kind: 'ready'; url: string; title: string }
  | { kind: 'asking' }
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'lost' }
  | { kind: 'pending'; request: Request; standing: Standing }
  /** `fresh`: it arrived in this popup; otherwise it was there before. */
  | { kind: 'done'; link: Link; fresh: boolean };

/** How many of the latest links are listed. */
export const LISTED = 5;

/**
 * Where a link arrives, the background looks whether a popup is open, and leaves the rest to it: one that opens in
 * between counts as open when the link was made.
 */
const ARRIVING_MS = 1_000;

/** The links the popup wants to know: a page that was ever shortened is not offered again. */
export function wantedOf(tab: Tab, wish: Wish | null): Wanted {
  const urls = [pageUrl(tab), wish?.url].filter((url) => url !== undefined);
  // One more than are listed: it may be on the stage.
  return { latest: LISTED + 1, urls, ids: wish ? [wish.id] : [] };
}

export function subjectOf(tab: Tab, wish: Wish | null): Subject {
  const page = pageUrl(tab);
  return wish && wish.url !== page
    ? { url: wish.url, title: wish.title, typed: true }
    : { url: page ?? tab.url, title: tab.title, typed: false };
}

/**
 * The first that holds: what has become of this popup's wish, what was answered to it, a request for the same URL, a
 * link of it, and only then an offer to make one.
 */
export function stageOf(view: View, tab: Tab, wish: Wish | null, time: Time, online: boolean): Stage {
  const subject = subjectOf(tab, wish);
  const target = pageTarget(subject.url, view.connection?.service?.shortBaseUrl);
  const url = 'url' in target ? target.url : null;
  const pending = (request: Request): Stage => {
    return { kind: 'pending', request, standing: standingOf(request, view, time, online) };
  };
  const made = wish && view.links.find((link) => link.id === wish.id);
  if (made) return { kind: 'done', link: made, fresh: true };
  const accepted = wish && view.requests.find((request) => request.id === wish.id);
  if (accepted) return pending(accepted);
  if (wish?.state === 'asking' || wish?.state === 'lost') return { kind: wish.state };
  if (wish?.state === 'refused') return { kind: 'refused', code: wish.code };
  const request = view.requests.findLast((one) => url !== null && one.url === url);
  if (request) return pending(request);
  if ('blocked' in target) return { kind: 'blocked', reason: target.blocked };
  const earlier = view.links.find((link) => link.url === url);
  if (earlier) return { kind: 'done', link: earlier, fresh: earlier.createdAt >= tab.openedAt - ARRIVING_MS };
  return view.connection ? { kind: 'ready', url: target.url, title: subject.title } : { kind: 'connect' };
}

function pageUrl(tab: Tab): string | undefined {
  const target = pageTarget(tab.url, undefined);
  return 'url' in target ? target.url : undefined;
}
