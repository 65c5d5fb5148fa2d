import type { ShortenProgress } from '../../components/hooks/use-shorten.ts';
import type { RefusalCode } from '../../messages/protocol.ts';
import { isLive } from '../../queue/accept-requests.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { Connection, Link } from '../../queue/types.ts';
import type { LinkQuery } from '../../storage/link-queries.ts';
import type { NotShortenable } from '../../urls/shortenable-url.ts';
import type { UrlDefaults } from '../../urls/url-defaults.ts';
import { type CurrentTarget, orderUrl, pageUrl, type Tab } from './current-page.ts';

/** What the middle of the popup shows of its target. */
export type PopupState =
  | { kind: 'blocked'; reason: NotShortenable }
  /** There is no connection yet. */
  | { kind: 'connect' }
  | { kind: 'ready'; url: string; title: string }
  | { kind: 'refused'; code: RefusalCode | NotShortenable }
  /** The background did not answer. */
  | { kind: 'lost' }
  | ({ kind: 'pending' } & ListedRequest)
  /** `fresh`: it arrived in this popup; otherwise it was there before. */
  | { kind: 'done'; link: Link; fresh: boolean };

export interface Known {
  tab: Tab;
  target: CurrentTarget;
  /** What was last asked for in this popup, or handed to it. */
  order: ShortenProgress | null;
  requests: ListedRequest[];
  links: Link[];
  /** The connection that the popup shortens with; null: there is none. */
  connection: Connection | null;
  now: number;
}

/** How many of the latest links are listed. */
export const LISTED = 5;

/** A link that arrived while the popup was opening counts as one that arrived in it. */
const ARRIVING_MS = 1_000;

/** The links the popup wants to know: a page that was ever shortened is not offered again. */
export function linkQuery(tab: Tab, order: ShortenProgress | null, defaults: UrlDefaults): LinkQuery {
  const urls = [pageUrl(tab, defaults), order && orderUrl(order, defaults)].filter((url) => typeof url === 'string');
  const ids = order ? [...new Set([order.id, order.resultId])] : [];
  // One more than are listed: it may be the one that the middle shows.
  return { latest: LISTED + 1, urls: [...new Set(urls)], ids };
}

/**
 * The first that holds: what has become of the order, what was answered to it, a request for the same URL, a link of it,
 * and only then an offer to make one. Everything is about the chosen connection alone.
 */
export function popupStateOf(known: Known): PopupState {
  const { target, links, connection } = known;
  const url = target.blocked === null ? target.url : undefined;
  const ordered = orderState(known);
  if (ordered) return ordered;
  const pending = known.requests.findLast(
    (one) => url !== undefined && one.request.url === url && isOf(one.connection, connection),
  );
  if (pending) return { kind: 'pending', ...pending };
  if (target.blocked !== null || url === undefined) return { kind: 'blocked', reason: target.blocked ?? 'unknown' };
  const isShortUrl = ({ shortUrl, connectionId }: Link) => shortUrl === url && connectionId !== null;
  if (links.some(isShortUrl)) return { kind: 'blocked', reason: 'own_short_link' };
  const earlier = links.find((link) => link.url === url && isShown(link, known));
  if (earlier) {
    return { kind: 'done', link: earlier, fresh: earlier.createdAt >= known.tab.openedAt - ARRIVING_MS };
  }
  return connection ? { kind: 'ready', url, title: target.title } : { kind: 'connect' };
}

/** What has become of the order; null where it was given up, or is another connection's. */
function orderState({ order, target, links, requests, connection }: Known): PopupState | null {
  if (!order || (connection && order.connectionId !== null && order.connectionId !== connection.id)) return null;
  const isResult = ({ id }: { id: string }) => id === order.resultId || id === order.id;
  const made = links.find((link) => isResult(link) && link.connectionId !== null);
  if (made) return { kind: 'done', link: made, fresh: !order.existing };
  const accepted = requests.find(({ request }) => isResult(request));
  if (accepted) return { kind: 'pending', ...accepted };
  if (order.state === 'lost') return { kind: 'lost' };
  if (order.state !== 'refused') return null;
  // Why it is no address to shorten, the popup knows better.
  return { kind: 'refused', code: (order.code === 'not_shortenable' && target.blocked) || order.code };
}

/** True if the popup shows this link for its URL. Without a connection it shows those of all connections. */
function isShown(link: Link, { connection, now }: Known): boolean {
  return (connection === null || link.connectionId === connection.id) && isLive(link, now);
}

function isOf(owner: Connection | null, chosen: Connection | null): boolean {
  return owner === null || chosen === null || owner.id === chosen.id;
}
