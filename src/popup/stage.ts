import type { RefusalCode } from '../messages/messages.ts';
import { type Standing, standingOf } from '../queue/standing.ts';
import type { Link, Request, Time } from '../queue/types.ts';
import type { View } from '../storage/view.ts';
import { type Blocked, pageTarget } from '../ui/target.ts';

/** The tab the popup was opened over. */
export interface Tab {
  /** Undefined where the browser does not tell. */
  url: string | undefined;
  title: string;
  private: boolean;
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
  /** `fresh`: made for the wish of this popup; otherwise it was there before. */
  | { kind: 'done'; link: Link; fresh: boolean };

export function subjectOf(tab: Tab, wish: Wish | null): Subject {
  const page = pageUrl(tab);
  return wish && wish.url !== page
    ? { url: wish.url, title: wish.title, typed: true }
    : { url: page ?? tab.url, title: tab.title, typed: false };
}

/** The first that holds: this popup's wish, a request for the same URL, a link of it, and only then an offer to make one. */
export function stageOf(view: View, tab: Tab, wish: Wish | null, time: Time, online: boolean): Stage {
  const subject = subjectOf(tab, wish);
  const target = pageTarget(subject.url, view.connection?.service?.shortBaseUrl);
  const url = 'url' in target ? target.url : null;
  if (wish?.state === 'asking' || wish?.state === 'lost') return { kind: wish.state };
  if (wish?.state === 'refused') return { kind: 'refused', code: wish.code };
  const made = wish && view.links.find((link) => link.id === wish.id);
  if (made) return { kind: 'done', link: made, fresh: true };
  const request =
    view.requests.find((one) => one.id === wish?.id) ??
    view.requests.findLast((one) => url !== null && one.url === url);
  if (request) return { kind: 'pending', request, standing: standingOf(request, view, time, online) };
  if ('blocked' in target) return { kind: 'blocked', reason: target.blocked };
  const earlier = view.links.find((link) => link.url === url);
  if (earlier) return { kind: 'done', link: earlier, fresh: false };
  return view.connection ? { kind: 'ready', url: target.url, title: subject.title } : { kind: 'connect' };
}

function pageUrl(tab: Tab): string | undefined {
  const target = pageTarget(tab.url, undefined);
  return 'url' in target ? target.url : undefined;
}
