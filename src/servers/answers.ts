import { ShortUrl } from '@terse/contract/shorten';
import type * as z from 'zod/mini';
import {
  type AttemptResult,
  type CallContext,
  type Found,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type NewLink,
  OperationFailed,
  type Probe,
  type ProbeReport,
  type ProblemCode,
  type RequestResult,
  type ServiceAdapter,
  type ServiceInfo,
  type ServiceProblem,
  serviceFailure,
} from './adapter.ts';
import { type HttpAnswer, NoAnswer } from './http.ts';
import { listedTags } from './parse-and-format-tags.ts';

/* Functions that help adapters convert responses to results. */

/** Maximum length of a stored error message from a server. Longer messages are truncated. */
const MAX_MESSAGE_LENGTH = 300;

/** Default value if the server itself reported no limits, for example because a gateway responded. */
export const NOT_REPORTED = { limits: { throttle: null, quota: null } } as const;

/** Result for a response that has a success status but an unexpected body. */
export const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Result of a probe if the server, or the gateway in front of it, reports that the server is down. */
export const UNAVAILABLE: Probe = { reached: false, problem: 'unavailable' };

/** Codes of refused create requests, by the status of the server's own error. */
const CODE_BY_STATUS: Record<number, ProblemCode> = { 401: 'unauthorized', 403: 'forbidden' };

/** Problems of other operations, by the status of the server's own error. More specific errors have precedence. */
const PROBLEM_BY_STATUS: Record<number, ServiceProblem> = { 401: 'unauthorized', 403: 'forbidden', 404: 'gone' };

/** Returns the result for a link that the server refuses every time. */
export function refused(code: ProblemCode, message = ''): RequestResult {
  return { kind: 'refused', code, message };
}

/**
 * Returns the result for an error that recognizably comes from the server itself.
 *
 * @param code undefined if the error does not say why the link was not created. Its status then decides.
 */
export function refusal({ status }: HttpAnswer, code: ProblemCode | undefined, message: string): RequestResult {
  if (!code && status >= 500) return serverError(message);
  return refused(code ?? CODE_BY_STATUS[status] ?? 'refused', message);
}

/** Returns the result for a response with status 429. The response may come from a gateway that limits requests. */
function throttled({ retryAfterSeconds }: HttpAnswer): RequestResult {
  return { kind: 'refused_for_now', code: 'throttled', message: '', retryAfterSeconds };
}

/** Returns the result for an error of the server, which may have created the link before the error occurred. */
export function serverError(message = ''): RequestResult {
  return { kind: 'unclear', code: 'server_error', message };
}

/** Returns the body of a response with status 200, or undefined if the status or the body is different. */
export function parseOk<T>({ status, json }: HttpAnswer, schema: z.ZodMiniType<T>): T | undefined {
  return status === 200 ? schema.safeParse(json).data : undefined;
}

/** Returns the result of a probe if the server recognizably responded. */
export function recognized(service: ServiceInfo, key: ProbeReport['key']): Probe {
  return { reached: true, service, key, ...NOT_REPORTED };
}

/** Returns the result of a probe if the response does not come from a server of the expected kind. */
export function unrecognized({ status, json, brokenBy }: HttpAnswer): Probe {
  if (brokenBy) return { reached: false, problem: brokenBy === 'timeout' ? 'timeout' : 'unreachable' };
  const isPage = status >= 200 && status < 300 && json === undefined;
  return { reached: true, service: null, key: 'unknown', ...NOT_REPORTED, ...(isPage && { isPage }) };
}

/**
 * Returns the `create` of an adapter that creates one link with one request. A link that has already expired is refused
 * without a request, because some servers would create it. If the code is taken, the link that has it is read, because
 * an earlier attempt with the same request may have created it.
 *
 * @param send sends the request. Returns a result if the link is refused without a request
 * @param readAnswer converts a response from the server itself. Returns null if it may come from a gateway
 * @param readLink reads the link that has the code of the request
 */
export function createsOne(
  send: (link: NewLink, context: CallContext) => Promise<HttpAnswer> | RequestResult,
  readAnswer: (answer: HttpAnswer, link: NewLink, context: CallContext) => RequestResult | null,
  readLink: (link: LinkReference, context: CallContext, answer: HttpAnswer) => Promise<ListedLink | null>,
): ServiceAdapter['create'] {
  return async ({ links }, context) => {
    const [link] = links as [NewLink];
    const isExpired = link.expiresAt !== undefined && Date.parse(link.expiresAt) <= context.now;
    const answer = isExpired ? refused('expired') : await send(link, context);
    const ownResult = { ...NOT_REPORTED, answered: true, refusedAsWhole: false };
    if ('kind' in answer) return { ...ownResult, items: [answer], answered: false };
    const item = readAnswer(answer, link, context);
    if (!item) return foreignResult(answer);
    if (item.kind !== 'refused') return { ...ownResult, items: [item] };
    if (answer.status === 429) return { ...ownResult, items: [throttled(answer)] };
    const { shortCode } = link;
    if (item.code !== 'short_code_taken' || shortCode === undefined) return { ...ownResult, items: [item] };
    const found = await foundIn(readLink({ shortCode }, context, answer), link.url);
    if (found.state === 'found') return { ...ownResult, items: [{ kind: 'created', shortUrl: found.shortUrl }] };
    return { ...ownResult, items: [found.state === 'unknown' ? NOT_UNDERSTOOD : item] };
  };
}

/**
 * Returns the result of an attempt if the response probably came from a gateway. All links get the same result.
 *
 * @param count number of links in the attempt
 */
export function foreignResult(answer: HttpAnswer, count = 1): AttemptResult {
  const items = Array.from({ length: count }, () => foreignItem(answer));
  return { ...NOT_REPORTED, items, answered: false, refusedAsWhole: false };
}

function foreignItem(answer: HttpAnswer): RequestResult {
  const { status, brokenBy } = answer;
  if (brokenBy) return { kind: 'unclear', code: brokenBy, message: '' };
  if (status >= 200 && status < 300) return NOT_UNDERSTOOD;
  return status === 429 ? throttled(answer) : gatewayError(status);
}

/**
 * Converts a gateway's error status to a result. After a 5xx or a timeout (408), the server may have created the link,
 * because the gateway may have forwarded the request.
 */
export function gatewayError(status: number): RequestResult {
  if (status >= 500 || status === 408) return serverError();
  const isNoService = status === 404 || status === 405;
  return { kind: 'not_made', code: isNoService ? 'not_a_service' : 'gateway_refused', message: '' };
}

/** Compares the link that has the code of a request with the URL of the request. */
export async function foundIn(reading: Promise<ListedLink | null>, url: string): Promise<Found> {
  try {
    const link = await reading;
    if (!link) return { state: 'absent' };
    return isSameUrl(link.url, url) ? { state: 'found', shortUrl: link.shortUrl } : { state: 'taken' };
  } catch (error) {
    if (error instanceof OperationFailed || error instanceof NoAnswer) return { state: 'unknown' };
    throw error;
  }
}

/** Checks and shortens a link of a server's list. Returns null if a required property is not valid. */
export function toListed(link: ListedLink): ListedLink | null {
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, tags } = link;
  if (shortCode === '' || shortCode.length > MAX_LENGTH.shortCode) return null;
  if (url === '' || url.length > MAX_LENGTH.url || !ShortUrl.safeParse(shortUrl).success) return null;
  if (createdAt !== null && !isTime(createdAt)) return null;
  return {
    ...link,
    title: title?.slice(0, MAX_LENGTH.title) || null,
    expiresAt: expiresAt !== null && isTime(expiresAt) ? expiresAt : null,
    ...(tags && { tags: listedTags(tags) }),
  };
}

/** Reads each record of a page separately, so that an invalid record does not hide the valid ones. */
export function readRecords<T>(records: unknown[], read: (record: unknown) => T | null) {
  const links = records.map(read).filter((link) => link !== null);
  return { links, unreadable: records.length - links.length };
}

/** Returns the base URL of a link's short URL. Empty if the short URL does not end with the short code. */
export function baseOf(link: Pick<ListedLink, 'shortUrl' | 'shortCode'> | undefined): string {
  return link?.shortUrl.endsWith(`/${link.shortCode}`) ? link.shortUrl.slice(0, -link.shortCode.length - 1) : '';
}

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
export function failureOf({ status, retryAfterSeconds }: HttpAnswer, error: OwnError | null): OperationFailed {
  const problemOf = (): ServiceProblem => {
    if (status === 429) return 'throttled';
    if (error?.problem) return error.problem;
    if (status >= 500) return 'unreachable';
    return error ? (PROBLEM_BY_STATUS[status] ?? 'refused') : 'not_understood';
  };
  const { code = '', message = '' } = error ?? {};
  return new OperationFailed({ problem: problemOf(), code, message, retryAfterSeconds });
}

/** Returns the failure of an operation that does not depend on an error response. */
export function failed(problem: ServiceProblem): OperationFailed {
  return new OperationFailed(serviceFailure(problem));
}

/** Returns the link, or fails if the server says that there is none. */
export async function existing<T extends object>(reading: Promise<T | null>): Promise<T> {
  const link = await reading;
  if (!link) throw failed('gone');
  return link;
}

/** Truncates a server's error message to the length that is stored. Empty if the value is not text. */
export function messageOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_MESSAGE_LENGTH) : '';
}

/** True if both texts are forms of the same URL. Servers remove empty parts of a URL, and may encode characters. */
export function isSameUrl(one: string, other: string): boolean {
  return storedForm(one) === storedForm(other);
}

/** Characters that YOURLS removes from URLs without an error. The link would then lead to another page. */
const DROPPED = /[{}^`\\]/g;

/** Matches an empty query (`?`) or an empty fragment (`#`). YOURLS removes both from URLs. */
const EMPTY_PARTS = /(?<=^[^?#]*)\?(?=#|$)|(?<=^[^#]*)#$/g;

/** Returns a URL that leads to the same page and that all servers store unchanged. */
export function storedForm(url: string): string {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const { href = url } = URL.parse(url) ?? {};
  return href.replace(EMPTY_PARTS, '').replace(DROPPED, encode);
}

/** Returns a function that creates a value at its first call, so that unused kinds of servers cost no start-up time. */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}
