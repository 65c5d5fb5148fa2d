import type { ServiceDocument } from '@terse/contract/service-capabilities';
import { ShortUrl } from '@terse/contract/shorten';
import type * as z from 'zod/mini';
import {
  type AttemptResult,
  type CallContext,
  type CodeUse,
  type Found,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type NewLink,
  type Probe,
  type ProblemCode,
  type RequestResult,
  type ServiceAdapter,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceResult,
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

/** Returns the result for a link that the server refuses every time. */
export function refused(code: ProblemCode, message = ''): RequestResult {
  return { kind: 'refused', code, message };
}

/** Returns the result for a response with status 429. The response may come from a gateway that limits requests. */
export function throttled({ retryAfterSeconds }: HttpAnswer, message = ''): RequestResult {
  return { kind: 'refused_for_now', code: 'throttled', message, retryAfterSeconds };
}

/** Returns the result for an error of the server, which may have created the link before the error occurred. */
export function serverError(message = ''): RequestResult {
  return { kind: 'unclear', code: 'server_error', message };
}

/** Returns the body of a response with status 200, or undefined if the status or the body is different. */
export function parseOk<T>({ status, json }: HttpAnswer, schema: z.ZodMiniType<T>): T | undefined {
  return status === 200 ? schema.safeParse(json).data : undefined;
}

/**
 * Returns the result of a probe if the server recognizably responded.
 *
 * @param key null if the server did not check the API key
 */
export function recognized(document: ServiceDocument, key: 'accepted' | 'refused' | 'forbidden' | null): Probe {
  const report = key === 'accepted' ? { name: '', throttle: null, quota: null } : key;
  return { reached: true, document, key: report, ...NOT_REPORTED };
}

/** Returns the result of a probe if the response does not come from a server of the expected kind. */
export function unrecognized({ status, json, brokenBy }: HttpAnswer): Probe {
  if (brokenBy) return { reached: false, problem: brokenBy === 'timeout' ? 'timeout' : 'unreachable' };
  const isPage = status >= 200 && status < 300 && json === undefined;
  return { reached: true, document: null, key: null, ...NOT_REPORTED, ...(isPage && { isPage }) };
}

/**
 * Returns the `create` of an adapter that creates one link with one request. A link that has already expired is refused
 * without a request, because some servers would create it.
 *
 * @param send sends the request. Returns a result if the link is refused without a request
 * @param read converts a response from the server itself. Returns null if the response may come from a gateway
 */
export function createsOne(
  send: (link: NewLink, context: CallContext) => Promise<HttpAnswer> | RequestResult,
  read: (answer: HttpAnswer, link: NewLink, context: CallContext) => Promise<RequestResult | null>,
): ServiceAdapter['create'] {
  return async ({ links }, context) => {
    const [link] = links as [NewLink];
    const isExpired = link.expiresAt !== undefined && Date.parse(link.expiresAt) <= context.now;
    const sent = isExpired ? refused('expired') : await send(link, context);
    const ownResult = { ...NOT_REPORTED, answered: true, refusedAsWhole: false };
    if ('kind' in sent) return { ...ownResult, items: [sent], answered: false };
    const item = await read(sent, link, context);
    if (!item) return foreignResult(sent);
    const limited = sent.status === 429 && item.kind === 'refused' ? throttled(sent) : item;
    return { ...ownResult, items: [limited] };
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
export type ReadLink<T = ListedLink> = ServiceResult<T | null>;

/** Returns the result of looking for the link of a request whose response was lost. */
export function foundIn(read: ReadLink<Pick<ListedLink, 'url' | 'shortUrl'>>, url: string): Found {
  if ('problem' in read) return { state: 'unknown' };
  if (!read.value) return { state: 'absent' };
  return isSameUrl(read.value.url, url) ? { state: 'found', shortUrl: read.value.shortUrl } : { state: 'taken' };
}

/** Returns the use of a short code, if the API key can access all links of the server. */
export function codeUseIn(read: ReadLink<object>): ServiceResult<CodeUse> {
  if ('problem' in read) return { value: 'unknown' };
  return { value: read.value ? 'yours' : 'available' };
}

/** Returns the link, or the failure `gone` if no link has the code. */
export function existing<T extends object>(read: ReadLink<T>): ServiceResult<T> {
  if ('problem' in read) return read;
  return read.value ? { value: read.value } : serviceFailure('gone');
}

/** Returns the result of an edit. A link with another code is not the edited link. */
export function editedIn(link: ListedLink | null | undefined, { shortCode }: LinkReference): ServiceResult<ListedLink> {
  return link?.shortCode === shortCode ? { value: link } : serviceFailure('not_understood');
}

/**
 * Returns the result of a deletion from reading the link afterwards. A Wi-Fi login page may respond to any request with
 * a success status, so only the server's own answer shows that the link is deleted.
 */
export function deletedIn(read: ReadLink<object>): ServiceResult<null> {
  if ('problem' in read) return read;
  return read.value ? serviceFailure('not_understood') : { value: null };
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

/** Truncates a server's error message to the length that is stored. Empty if the value is not text. */
export function messageOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_MESSAGE_LENGTH) : '';
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

function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}
