import { readableUrl } from '@terse/contract/readable-host';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, privateProblemMessage, statusAnnounced } from '../../format/status-text.ts';
import type { PrivateResult, RefusalCode } from '../../messages/protocol.ts';
import { isLive } from '../../queue/accept.ts';
import { promisedShortUrl } from '../../queue/sending.ts';
import type { ListedRequest, RequestStatus } from '../../queue/status.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { LinkQuery } from '../../storage/links.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget } from '../../urls/shortenable-url-rules.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';
import type { Tab } from './read-tab.ts';

/** State of the popup's main area. */
export type PopupState =
  /** The page cannot be shortened. */
  | { kind: 'blocked'; reason: NotShortenable }
  /** No server is connected. */
  | { kind: 'connect' }
  | { kind: 'ready'; url: string; title: string }
  | { kind: 'refused'; code: RefusalCode | NotShortenable }
  /** A request from a private window created no link. */
  | ({ kind: 'failed' } & Exclude<PrivateResult, { link: unknown }>)
  /** The background worker did not reply. */
  | { kind: 'lost' }
  | ({ kind: 'pending' } & ListedRequest)
  /** `fresh`: the link was created while this popup was open. */
  | { kind: 'done'; link: Link; fresh: boolean };

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

/** Link defaults that change nothing, for a URL from the form, which has already applied the user's defaults. */
const APPLIED: UrlDefaults = { removeTracking: false, dropTextFragment: false };

/** Returns what the popup shortens: the URL of its command if there is one, otherwise the page in the tab. */
export function currentTarget(
  tab: Tab,
  order: ShortenProgress | null,
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
): CurrentTarget {
  const page = describe(tab.url, tab.title, isOwn, defaults);
  if (!order || orderUrl(order, defaults) === page.url) return { ...page, isOther: false };
  const { url, title, userInfoRemoved } = order;
  const isOther = url !== (page.original ?? '');
  const target = describe(url, title, isOwn, order.options === null ? defaults : APPLIED);
  return { ...target, userInfoRemoved, isOther };
}

function describe(url: string | undefined, title: string, isOwn: IsOwnShortUrl, defaults: UrlDefaults) {
  const target = pageTarget(url, isOwn);
  if ('blocked' in target) return { url, original: url, title, blocked: target.blocked, userInfoRemoved: false };
  const { url: original, userInfoRemoved } = target;
  return { url: applyUrlDefaults(original, defaults), original, title, blocked: null, userInfoRemoved };
}

/**
 * Returns the URL of a command after applying the link defaults. A URL from the form is returned unchanged, because
 * the form has already applied the defaults.
 */
function orderUrl({ url, options }: ShortenProgress, defaults: UrlDefaults): string {
  return options === null ? applyUrlDefaults(url, defaults) : url;
}

export interface Known {
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
export function linkQuery(tab: Tab, order: ShortenProgress | null, defaults: UrlDefaults): LinkQuery {
  const page = currentTarget(tab, null, () => false, defaults);
  const urls = [page.blocked === null && page.url, order && orderUrl(order, defaults)].filter(
    (url) => typeof url === 'string',
  );
  const ids = order ? [...new Set([order.id, order.resultId])] : [];
  return { latest: LISTED + 1, urls: [...new Set(urls)], ids };
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
  const { target, links, connection } = known;
  const url = target.blocked === null ? target.url : undefined;
  const ordered = orderState(known);
  if (ordered) return ordered;
  const isChosen = (id: string | null) => connection === null || id === connection.id;
  const pending = known.requests.findLast((one) => one.request.url === url && isChosen(one.connection.id));
  if (pending) return { kind: 'pending', ...pending };
  if (target.blocked !== null || url === undefined) {
    return connection ? { kind: 'blocked', reason: target.blocked ?? 'unknown' } : { kind: 'connect' };
  }
  const isShortUrl = ({ shortUrl, connectionId }: Link) => shortUrl === url && connectionId !== null;
  if (connection && links.some(isShortUrl)) return { kind: 'blocked', reason: 'own_short_link' };
  const earlier = links.find((link) => link.url === url && isChosen(link.connectionId) && isLive(link, known.now));
  if (earlier) {
    return { kind: 'done', link: earlier, fresh: earlier.createdAt >= known.tab.openedAt - ARRIVING_MS };
  }
  return connection ? { kind: 'ready', url, title: target.title } : { kind: 'connect' };
}

/**
 * Returns the state of the shorten command. Null if there is no command, if its request was canceled, or if it
 * belongs to another connection.
 */
function orderState({ tab, order, target, links, requests, connection }: Known): PopupState | null {
  if (!order || (connection && order.connectionId !== null && order.connectionId !== connection.id)) return null;
  if (order.state === 'finished') {
    if ('problem' in order.result) return { kind: 'failed', ...order.result };
    return { kind: 'done', link: order.result.link, fresh: order.result.isNew };
  }
  const isResult = ({ id }: { id: string }) => id === order.resultId || id === order.id;
  const made = links.find((link) => isResult(link) && link.connectionId !== null);
  if (made) return { kind: 'done', link: made, fresh: !order.existing };
  const accepted = requests.find(({ request }) => isResult(request));
  if (accepted) return { kind: 'pending', ...accepted };
  if (order.state === 'lost') return tab.private ? lostInPrivate(connection) : { kind: 'lost' };
  if (order.state !== 'refused') return null;
  // `not_shortenable` is a general code. `target.blocked` may contain a more specific reason.
  return { kind: 'refused', code: (order.code === 'not_shortenable' && target.blocked) || order.code };
}

/** State of a private command without a reply. Only the user can send the command again. */
function lostInPrivate(connection: Connection | null): PopupState {
  const isUncertain = connection !== null && ['none', 'look_up'].includes(capabilitiesOf(connection).safeRetry);
  return { kind: 'failed', problem: { code: 'no_answer', message: '' }, isUncertain, isRefused: false };
}

/** Returns the message for a command that led to no link and no request. Null in all other states. */
export function failureMessage(state: PopupState): string | null {
  switch (state.kind) {
    case 'refused':
      return notShortenableMessage(state.code);
    case 'failed':
      return privateProblemMessage(state);
    case 'lost':
      return t('noReply');
    default:
      return null;
  }
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
  const news = stateAnnouncement(state, copied, now);
  return target.isOther && target.userInfoRemoved ? joinSentences(t('userInfoRemovedSaid'), news) : news;
}

function stateAnnouncement(state: PopupState, copied: string | null, now: number): string {
  const copiedText = copied === null ? '' : t('copiedNamed', readableUrl(copied));
  if (state.kind === 'pending') {
    const { request, status, connection } = state;
    if (isSentSoon(status, now)) return t('sending');
    const hasUrl = status.kind === 'waiting' && promisedShortUrl(request, connection) !== null;
    return joinSentences(hasUrl ? t('worksOnceSent') : '', statusAnnounced(status, request.problem));
  }
  const isNew = state.kind === 'done' && state.fresh && copied !== state.link.shortUrl;
  return isNew ? t('ready', readableUrl(state.link.shortUrl)) : (failureMessage(state) ?? copiedText);
}
