import type { HttpAnswer } from './http-exchange.ts';
import type { AttemptResult, RequestResult } from './service-adapter.ts';

/* Helpers with which adapters turn answers into results. */

/** Maximum length of a server's error message that the extension stores and displays. */
export const MAX_MESSAGE_LENGTH = 300;

/** Replaces the time and the limits in a gateway's answer, because only those of the server matter. */
export const NOT_REPORTED = { date: null, limits: { throttle: null, quota: null } } as const;

/** Result of an answer that is not recognizably the server's own, with a success status. */
export const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Status codes showing that a gateway did not forward the request to the server. */
const NOT_FORWARDED = [408, 425, 503, 521, 523, 525, 526, 530];

/** Status codes with which a gateway may refuse a request even though the server would accept it. */
const REFUSED_BY_GATEWAY = [401, 403, 407, 451];

/**
 * Returns the result of an answer from the server itself: JSON with the fields that the adapter expects.
 *
 * @param items one result per link, in the order of the links
 */
export function ownResult({ date }: HttpAnswer, items: RequestResult[]): AttemptResult {
  const conclusive = items.every(({ kind }) => kind === 'created' || kind === 'refused');
  return { ...NOT_REPORTED, items, conclusive, answered: true, refusedAsWhole: false, date };
}

/**
 * Returns the result of an answer that is not recognizably the server's own, such as a gateway's page. It is the same
 * for all links.
 *
 * @param count number of links in the attempt
 */
export function foreignResult({ status }: HttpAnswer, count: number): AttemptResult {
  const item = status >= 200 && status < 300 ? NOT_UNDERSTOOD : gatewayError(status);
  const items = Array.from({ length: count }, () => item);
  return { ...NOT_REPORTED, items, conclusive: item.kind === 'refused', answered: false, refusedAsWhole: false };
}

/**
 * Converts a gateway's error status to a result. A link may have been created only if the status is 5xx and the
 * gateway forwarded the request.
 */
export function gatewayError(status: number): RequestResult {
  const message = '';
  if (NOT_FORWARDED.includes(status)) return { kind: 'not_made', code: 'server_error', message };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (REFUSED_BY_GATEWAY.includes(status)) return { kind: 'not_made', code: 'gateway_refused', message };
  if (status === 404 || status === 405) return { kind: 'not_made', code: 'not_a_service', message };
  return { kind: 'refused', code: 'refused', message };
}

/** Cuts a server's error message to the length that is stored. Returns an empty text for anything else than text. */
export function messageOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_MESSAGE_LENGTH) : '';
}

/** True if both texts are the same URL after parsing. */
export function isSameUrl(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}

/** Position in a list that has no lasting cursors, and the total number of links when the cursor was made. */
interface ListPosition {
  at: number;
  total: number;
}

/** Reads a cursor of `cursorAfter`. An empty cursor is the first position, 0. */
export function positionOf(cursor: string): ListPosition {
  const [at, total] = cursor.split(' ').map(Number);
  return { at: at || 0, total: total || 0 };
}

/**
 * Returns the cursor after a page, or null on the last page. Links that were deleted in the meantime moved the others
 * forward, so as many links are then read again.
 *
 * @param next position of the next page if no link was deleted. Null on the last page
 * @param pageSize number of links between two positions
 */
export function cursorAfter(current: ListPosition, next: number | null, total: number, pageSize = 1): string | null {
  const deleted = current.at === 0 ? 0 : Math.max(0, current.total - total);
  const following = deleted > 0 ? Math.max(0, current.at - Math.ceil(deleted / pageSize)) : next;
  return following === null ? null : `${following} ${total}`;
}
