import type { HttpAnswer } from './http-request-types.ts';
import type { AttemptResult, Found, NewLink, RequestResult } from './service-adapter.ts';

/* Functions that help adapters convert responses to results. */

/** Maximum length of a stored error message from a server. Longer messages are truncated. */
const MAX_MESSAGE_LENGTH = 300;

/** Default values if the server itself reported no time and no limits, for example because a gateway responded. */
export const NOT_REPORTED = { date: null, limits: { throttle: null, quota: null } } as const;

/** Result for a response that has a success status but an unexpected body. */
export const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Result for a link that has already expired. Some servers would create such a link. */
export const EXPIRED: RequestResult = { kind: 'refused', code: 'expired', message: '' };

/** Properties of an accepted API key if the server reports none. */
export const UNDESCRIBED_KEY = { name: '', throttle: null, quota: null };

/**
 * Returns the result of an attempt if the response came from the server itself. Such a response is JSON with the
 * expected fields.
 *
 * @param items one result per link, in the order of the links
 */
export function ownResult(answer: HttpAnswer, items: RequestResult[]): AttemptResult {
  const { status, date } = answer;
  const limited = items.map((item) => (status === 429 && item.kind === 'refused' ? throttled(answer) : item));
  const conclusive = limited.every(({ kind }) => kind === 'created' || kind === 'refused');
  return { ...NOT_REPORTED, items: limited, conclusive, answered: true, refusedAsWhole: false, date };
}

/**
 * Returns the result of an attempt if the response probably came from a gateway. All links get the same result.
 *
 * @param count number of links in the attempt
 */
export function foreignResult(answer: HttpAnswer, count: number): AttemptResult {
  const { status } = answer;
  const isSuccess = status >= 200 && status < 300;
  const item = isSuccess ? NOT_UNDERSTOOD : status === 429 ? throttled(answer) : gatewayError(status);
  const items = Array.from({ length: count }, () => item);
  return { ...NOT_REPORTED, items, conclusive: false, answered: false, refusedAsWhole: false };
}

/**
 * Returns the result of an attempt that the adapter refused before sending a request.
 *
 * @param items one result per link, in the order of the links
 */
export function notSentResult(items: RequestResult[]): AttemptResult {
  return { ...NOT_REPORTED, items, conclusive: true, answered: false, refusedAsWhole: false };
}

/**
 * Returns the result for a link whose short code is already taken. An earlier attempt with the same request may have
 * created the existing link.
 *
 * @param found result of the search for the existing link
 * @param taken result if the code belongs to another link
 * @param absent result if no link with the code is visible
 */
export function takenResult(found: Found, taken: RequestResult, absent = taken): RequestResult {
  if (found.state === 'found') return { kind: 'created', shortUrl: found.shortUrl };
  if (found.state === 'unknown') return NOT_UNDERSTOOD;
  return found.state === 'taken' ? taken : absent;
}

/** Returns the result for a response with status 429. The response may come from a gateway that limits requests. */
function throttled({ retryAfterSeconds }: HttpAnswer): RequestResult {
  return { kind: 'refused_for_now', code: 'throttled', message: '', retryAfterSeconds };
}

/**
 * Converts a gateway's error status to a result. After a 5xx or a timeout (408), the server may have created the link,
 * because the gateway may have forwarded the request.
 */
export function gatewayError(status: number): RequestResult {
  const message = '';
  if (status >= 500 || status === 408) return { kind: 'unclear', code: 'server_error', message };
  if (status === 404 || status === 405) return { kind: 'not_made', code: 'not_a_service', message };
  return { kind: 'not_made', code: 'gateway_refused', message };
}

/**
 * Truncates a server's error message to the length that is stored. Returns an empty string if the value is not text.
 */
export function messageOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_MESSAGE_LENGTH) : '';
}

/** True if the link has already expired at the given time in milliseconds. */
export function isExpired({ expiresAt }: NewLink, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** True if both texts parse to the same URL. */
export function isSameUrl(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
