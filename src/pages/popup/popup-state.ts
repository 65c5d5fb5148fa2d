import { readableUrl } from '@terse/contract/readable-host';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, privateProblemMessage, statusAnnounced } from '../../format/status-text.ts';
import type { PrivateResult, RefusalCode } from '../../messages/protocol.ts';
import { isLive } from '../../queue/accept.ts';
import { promisedShortUrl } from '../../queue/codes.ts';
import type { ListedRequest } from '../../queue/status.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { LinkQuery } from '../../storage/links.ts';
import type { NotShortenable } from '../../urls/shortenable-url-rules.ts';
import type { UrlDefaults } from '../../urls/url-defaults.ts';
import { type CurrentTarget, orderUrl, pageUrl, type Tab } from './read-tab.ts';

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
  const urls = [pageUrl(tab, defaults), order && orderUrl(order, defaults)].filter((url) => typeof url === 'string');
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
  const pending = known.requests.findLast(
    (one) => url !== undefined && one.request.url === url && isOf(one.connection, connection),
  );
  if (pending) return { kind: 'pending', ...pending };
  if (target.blocked !== null || url === undefined) {
    return connection ? { kind: 'blocked', reason: target.blocked ?? 'unknown' } : { kind: 'connect' };
  }
  const isShortUrl = ({ shortUrl, connectionId }: Link) => shortUrl === url && connectionId !== null;
  if (connection && links.some(isShortUrl)) return { kind: 'blocked', reason: 'own_short_link' };
  const earlier = links.find((link) => link.url === url && isShown(link, known));
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
  const isUncertain = connection !== null && capabilitiesOf(connection).safeRetry === 'none';
  return { kind: 'failed', problem: { code: 'no_answer', message: '' }, isUncertain };
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
 * True if the link can be reused and belongs to `connection`. If `connection` is null, the link may belong to any
 * connection.
 */
function isShown(link: Link, { connection, now }: Known): boolean {
  return (connection === null || link.connectionId === connection.id) && isLive(link, now);
}

function isOf(owner: Connection | null, chosen: Connection | null): boolean {
  return owner === null || chosen === null || owner.id === chosen.id;
}

/**
 * Returns the text that a screen reader announces when the state changes. The text contains no countdowns, because
 * the screen reader would read every change.
 *
 * @param copied short URL that was copied last
 */
export function screenReaderText(state: PopupState, target: CurrentTarget, copied: string | null): string {
  const news = stateAnnouncement(state, copied);
  return target.isOther && target.userInfoRemoved ? joinSentences(t('userInfoRemovedSaid'), news) : news;
}

function stateAnnouncement(state: PopupState, copied: string | null): string {
  const copiedText = copied === null ? '' : t('copiedNamed', readableUrl(copied));
  if (state.kind === 'pending') {
    const { request, status, connection } = state;
    const hasUrl = status.kind === 'waiting' && promisedShortUrl(request, connection) !== null;
    return joinSentences(hasUrl ? t('worksOnceSent') : '', statusAnnounced(status, request.problem));
  }
  const isNew = state.kind === 'done' && state.fresh && copied !== state.link.shortUrl;
  return isNew ? t('ready', readableUrl(state.link.shortUrl)) : (failureMessage(state) ?? copiedText);
}
