import { readableUrl } from '@terse/contract/readable-host';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, privateProblemMessage, statusAnnounced } from '../../format/status-text.ts';
import type { PrivateResult } from '../../messages/protocol.ts';
import { isLive } from '../../queue/accept.ts';
import { promisedShortUrl } from '../../queue/sending.ts';
import type { ListedRequest, RequestStatus } from '../../queue/status.ts';
import type { Connection, Link, Problem } from '../../queue/types.ts';
import { isIdempotent } from '../../servers/capabilities.ts';
import type { LinkQuery } from '../../storage/links.ts';
import {
  applyUrlDefaults,
  type IsOwnShortUrl,
  type NotShortenable,
  pageTarget,
  type UrlDefaults,
} from '../../urls/shortenable-url-rules.ts';
import type { Tab } from './read-tab.ts';

/** State of the popup's main area. */
export type PopupState =
  /** The page cannot be shortened. */
  | { kind: 'blocked'; reason: NotShortenable }
  /** No server is connected. */
  | { kind: 'connect' }
  | { kind: 'ready' }
  | Failure
  | ({ kind: 'pending' } & ListedRequest)
  /** `fresh`: the link was created while this popup was open. */
  | { kind: 'done'; link: Link; fresh: boolean };

/** Result of a command that led to no link and no request. */
export interface Failure {
  kind: 'failed';
  /** Reason, or `lost` if the background worker did not reply. */
  code: string;
  message: string;
  /** Problem with a message of the server. Null if the server did not respond. */
  problem: Problem | null;
  /** True if the link may exist, so that only the user can repeat the command. */
  isUncertain: boolean;
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
  blocked: NotShortenable | null;
  userInfoRemoved: boolean;
  /**
   * True if the URL differs from the URL of the current page. The popup then shows a button that returns to this
   * page.
   */
  isOther: boolean;
}

type Page = Pick<Tab, 'url' | 'title' | 'isLoading'>;

/** Link defaults that change nothing, for a URL from the form, which has already applied the user's defaults. */
const APPLIED: UrlDefaults = { removeTracking: false, dropTextFragment: false };

/** Returns the page in the tab, as the popup shortens it. */
export function pageOf({ url, title, isLoading }: Page, isOwn: IsOwnShortUrl, defaults: UrlDefaults): CurrentTarget {
  const target = pageTarget(url, isOwn);
  const page = { url, original: url, title, blocked: null, userInfoRemoved: false, isOther: false };
  if ('blocked' in target) return { ...page, blocked: isLoading ? 'loading' : target.blocked };
  return { ...page, ...target, url: applyUrlDefaults(target.url, defaults), original: target.url };
}

/** Returns what the popup shortens: the URL of its command if there is one, otherwise the page. */
export function currentTarget(
  page: CurrentTarget,
  order: ShortenProgress | null,
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
): CurrentTarget {
  if (!order || order.url === page.url) return page;
  const target = pageOf(order, isOwn, order.options === null ? defaults : APPLIED);
  if (target.url === page.url) return page;
  return { ...target, userInfoRemoved: order.userInfoRemoved, isOther: order.url !== page.original };
}

interface Known {
  tab: Tab;
  target: CurrentTarget;
  /** The last shorten command of this popup. */
  order: ShortenProgress | null;
  requests: ListedRequest[];
  links: Link[];
  /** Connection that the popup uses. Null if there is none. */
  connection: Connection | null;
  now: number;
}

/** Maximum number of links in the list of latest links. */
export const LISTED = 3;

/** Age in milliseconds up to which a link counts as new when the popup opens. */
const ARRIVING_MS = 1_000;

/**
 * Returns the query for the links that the popup shows. The query also finds the links of the current page, even if
 * they are not among the latest links.
 */
export function linkQuery(page: CurrentTarget, order: ShortenProgress | null, defaults: UrlDefaults): LinkQuery {
  const targets = [page, currentTarget(page, order, () => false, defaults)];
  const urls = targets.flatMap(({ url, blocked }) => (url !== undefined && blocked === null ? url : []));
  const ids = order ? [order.id, order.resultId] : [];
  return { latest: LISTED + 1, urls: [...new Set(urls)], ids: [...new Set(ids)] };
}

/**
 * Returns the first of these that exists:
 * - the state of the shorten command
 * - a request for the URL
 * - the reason why the URL cannot be shortened
 * - a link for the URL
 * - `ready`, or `connect` if no server is connected
 *
 * Requests and links of other connections are ignored.
 */
export function popupStateOf(known: Known): PopupState {
  const { tab, target, links, connection, now } = known;
  const ordered = orderState(known);
  if (ordered) return ordered;
  const url = target.blocked === null ? target.url : undefined;
  const isChosen = (id: string | null) => connection === null || id === connection.id;
  const pending = known.requests.findLast((one) => one.request.url === url && isChosen(one.connection.id));
  if (pending) return { kind: 'pending', ...pending };
  if (url === undefined && connection) return { kind: 'blocked', reason: target.blocked ?? 'unknown' };
  const isShortUrl = ({ shortUrl, connectionId }: Link) => shortUrl === url && connectionId !== null;
  if (connection && links.some(isShortUrl)) return { kind: 'blocked', reason: 'own_short_link' };
  const earlier = links.find((link) => link.url === url && isChosen(link.connectionId) && isLive(link, now));
  if (earlier) return { kind: 'done', link: earlier, fresh: earlier.createdAt >= tab.openedAt - ARRIVING_MS };
  return { kind: connection ? 'ready' : 'connect' };
}

/**
 * Returns the state of the shorten command. Null if there is no command, if its request was canceled, or if it
 * belongs to another connection.
 */
function orderState({ tab, order, target, links, requests, connection }: Known): PopupState | null {
  if (!order || (connection && order.connectionId !== null && order.connectionId !== connection.id)) return null;
  if (order.state === 'finished') {
    if ('problem' in order.result) return privateFailure(order.result);
    return { kind: 'done', link: order.result.link, fresh: order.result.isNew };
  }
  const isResult = ({ id }: { id: string }) => id === order.resultId || id === order.id;
  const made = links.find((link) => isResult(link) && link.connectionId !== null);
  if (made) return { kind: 'done', link: made, fresh: !order.existing };
  const accepted = requests.find(({ request }) => isResult(request));
  if (accepted) return { kind: 'pending', ...accepted };
  const failure = { kind: 'failed', problem: null, isUncertain: false } as const;
  if (order.state === 'lost') {
    return tab.private ? lostInPrivate(connection) : { ...failure, code: 'lost', message: t('noReply') };
  }
  if (order.state !== 'refused') return null;
  // `not_shortenable` is a general code. `target.blocked` may contain a more specific reason.
  const code = (order.code === 'not_shortenable' && target.blocked) || order.code;
  return { ...failure, code, message: notShortenableMessage(code), isUncertain: code === 'server_changed' };
}

/** State of a private command without a reply. Only the user can send the command again. */
function lostInPrivate(connection: Connection | null): Failure {
  const isUncertain = connection !== null && !isIdempotent(connection);
  return privateFailure({ problem: { code: 'no_answer', message: '' }, isUncertain, isRefused: false });
}

function privateFailure(result: Exclude<PrivateResult, { link: unknown }>): Failure {
  const { problem, isUncertain } = result;
  const message = privateProblemMessage(result);
  return { kind: 'failed', code: problem.code, message, problem, isUncertain };
}

/**
 * Longest rate-limit delay, in milliseconds, that the popup hides. During this delay, the popup shows the request as
 * being sent.
 */
const MOMENT_MS = 10_000;

/** True if a request is being sent, or will be sent in a moment. */
export function isSentSoon(status: RequestStatus, now: number): boolean {
  if (status.kind !== 'waiting' || status.reason !== 'throttle') return status.kind === 'sending';
  return (status.at ?? now) - now < MOMENT_MS;
}

/**
 * Returns the text that a screen reader announces when the state changes. The text contains no countdowns, because
 * the screen reader would read every change.
 *
 * @param copied short URL that was copied last
 */
export function screenReaderText(state: PopupState, target: CurrentTarget, copied: string | null, now: number): string {
  const removed = target.isOther && target.userInfoRemoved ? t('userInfoRemovedSaid') : '';
  return joinSentences(removed, stateAnnouncement(state, copied, now));
}

function stateAnnouncement(state: PopupState, copied: string | null, now: number): string {
  if (state.kind === 'failed') return state.message;
  if (state.kind === 'pending') {
    const { request, status, connection } = state;
    if (isSentSoon(status, now)) return t('sending');
    const hasUrl = status.kind === 'waiting' && promisedShortUrl(request, connection) !== null;
    return joinSentences(hasUrl ? t('worksOnceSent') : '', statusAnnounced(status, request.problem));
  }
  const isNew = state.kind === 'done' && state.fresh && copied !== state.link.shortUrl;
  if (isNew) return t('ready', readableUrl(state.link.shortUrl));
  return copied === null ? '' : t('copiedNamed', readableUrl(copied));
}
