import type { ServiceDocument } from '@terse/contract/service-capabilities';
import { type HttpAnswer, NoAnswer } from './http.ts';
import {
  type CodeUse,
  type ListedLink,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceResult,
  serviceFailure,
} from './link-operations.ts';
import type { AttemptResult, Found, NewLink, Probe, RequestResult } from './service-adapter.ts';

/* Functions that help adapters convert responses to results. */

/** Maximum length of a stored error message from a server. Longer messages are truncated. */
const MAX_MESSAGE_LENGTH = 300;

/** Default value if the server itself reported no limits, for example because a gateway responded. */
export const NOT_REPORTED = { limits: { throttle: null, quota: null } } as const;

/** Result for a response that has a success status but an unexpected body. */
export const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Result for a link that has already expired. Some servers would create such a link. */
export const EXPIRED: RequestResult = { kind: 'refused', code: 'expired', message: '' };

/** Properties of an accepted API key if the server reports none. */
const UNDESCRIBED_KEY = { name: '', throttle: null, quota: null };

/** Result of a probe if the server, or the gateway in front of it, reports that the server is down. */
export const UNAVAILABLE: Probe = { reached: false, problem: 'unavailable' };

/**
 * Returns the result of a probe if the server recognizably responded.
 *
 * @param key null if the server did not check the API key
 */
export function recognized(document: ServiceDocument, key: 'accepted' | 'refused' | 'forbidden' | null): Probe {
  const report = key === 'accepted' ? UNDESCRIBED_KEY : key;
  return { reached: true, document, key: report, ...NOT_REPORTED };
}

/** Returns the result of a probe if the response does not come from a server of the expected kind. */
export function unrecognized({ status, json, brokenBy }: HttpAnswer): Probe {
  if (brokenBy) return { reached: false, problem: brokenBy === 'timeout' ? 'timeout' : 'unreachable' };
  const isPage = status >= 200 && status < 300 && json === undefined;
  return { reached: true, document: null, key: null, ...NOT_REPORTED, ...(isPage && { isPage }) };
}

/**
 * Returns the result of an attempt if the response came from the server itself. Such a response is JSON with the
 * expected fields.
 *
 * @param items one result per link, in the order of the links
 */
export function ownResult(answer: HttpAnswer, items: RequestResult[]): AttemptResult {
  const limited = items.map((item) => (answer.status === 429 && item.kind === 'refused' ? throttled(answer) : item));
  const conclusive = limited.every(({ kind }) => kind === 'created' || kind === 'refused');
  return { ...NOT_REPORTED, items: limited, conclusive, answered: true, refusedAsWhole: false };
}

/**
 * Returns the result of an attempt if the response probably came from a gateway. All links get the same result.
 *
 * @param count number of links in the attempt
 */
export function foreignResult(answer: HttpAnswer, count = 1): AttemptResult {
  const items = Array.from({ length: count }, () => foreignItem(answer));
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
 * created the existing link, so this function looks for it.
 *
 * @param taken result if the code belongs to another link
 * @param absent result if no link with the code is visible
 */
export async function settleTaken(
  link: NewLink,
  find: (link: NewLink & { shortCode: string }) => Promise<Found>,
  taken: RequestResult,
  absent = taken,
): Promise<RequestResult> {
  const { shortCode } = link;
  if (shortCode === undefined) return taken;
  const found = await find({ ...link, shortCode }).catch(ignoreNoAnswer);
  if (found?.state === 'found') return { kind: 'created', shortUrl: found.shortUrl };
  if (found?.state === 'absent') return absent;
  return found?.state === 'taken' ? taken : NOT_UNDERSTOOD;
}

/** Returns null for `NoAnswer`, and throws other errors. */
export function ignoreNoAnswer(error: unknown): null {
  if (error instanceof NoAnswer) return null;
  throw error;
}

/** Result of reading a link by its code. `value` is null if the server itself says that no link has the code. */
export type ReadLink = ServiceResult<ListedLink | null>;

/** Returns the result of looking for the link of a request whose response was lost. */
export function foundIn(read: ServiceResult<Pick<ListedLink, 'url' | 'shortUrl'> | null>, url: string): Found {
  if ('problem' in read) return { state: 'unknown' };
  if (!read.value) return { state: 'absent' };
  return isSameUrl(read.value.url, url) ? { state: 'found', shortUrl: read.value.shortUrl } : { state: 'taken' };
}

/** Returns the use of a short code, if the API key can access all links of the server. */
export function codeUseIn(read: ServiceResult<object | null>): ServiceResult<CodeUse> {
  if ('problem' in read) return { value: 'unknown' };
  return { value: read.value ? 'yours' : 'available' };
}

/**
 * Returns the result of a deletion from reading the link afterwards. A Wi-Fi login page may respond to any request with
 * a success status, so only the server's own answer shows that the link is deleted.
 */
export function deletedIn(read: ServiceResult<object | null>): ServiceResult<null> {
  if ('problem' in read) return read;
  return read.value ? serviceFailure('not_understood') : { value: null };
}

/** Problems that the status of a server's own error stands for, unless the error is more specific. */
const PROBLEM_BY_STATUS: Record<number, ServiceProblem> = { 401: 'unauthorized', 403: 'forbidden', 404: 'gone' };

/** An error that recognizably comes from the server itself. */
interface OwnError {
  message: string;
  code?: string;
  /** Problem, if the status of the response does not show it. */
  problem?: ServiceProblem | undefined;
}

/**
 * Converts an error response, or an unexpected response, to the failure of an operation.
 *
 * @param error null if the response may come from a gateway
 */
export function failureOf({ status, retryAfterSeconds }: HttpAnswer, error: OwnError | null): ServiceFailure {
  const problemOf = (): ServiceProblem => {
    if (status === 429) return 'throttled';
    if (error?.problem) return error.problem;
    if (status >= 500) return 'unreachable';
    return error ? (PROBLEM_BY_STATUS[status] ?? 'refused') : 'not_understood';
  };
  return { problem: problemOf(), code: error?.code ?? '', message: error?.message ?? '', retryAfterSeconds };
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

/** Returns a function that creates a value at its first call, so that unused kinds of servers cost no start-up time. */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

function foreignItem(answer: HttpAnswer): RequestResult {
  const { status, brokenBy } = answer;
  if (brokenBy) return { kind: 'unclear', code: brokenBy, message: '' };
  if (status >= 200 && status < 300) return NOT_UNDERSTOOD;
  return status === 429 ? throttled(answer) : gatewayError(status);
}

/** Returns the result for a response with status 429. The response may come from a gateway that limits requests. */
function throttled({ retryAfterSeconds }: HttpAnswer): RequestResult {
  return { kind: 'refused_for_now', code: 'throttled', message: '', retryAfterSeconds };
}
