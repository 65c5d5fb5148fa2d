import { ShortUrl } from '@terse/contract/shorten';
import {
  type AttemptResult,
  type CallContext,
  type Found,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type NewLink,
  OperationFailed,
  type ProbeReport,
  type ProblemCode,
  type RequestResult,
  type ServiceAdapter,
  type ServiceFailure,
  type ServiceInfo,
  type ServiceProblem,
  serviceFailure,
} from './adapter.ts';
import { type HttpAnswer, NoAnswer } from './http.ts';

/* Functions that help adapters convert responses to results. */

/** Maximum length of a stored error message from a server. Longer messages are truncated. */
const MAX_MESSAGE_LENGTH = 300;

/** Default value if the server itself reported no limits, for example because a gateway responded. */
export const NO_LIMITS = { throttle: null, quota: null } as const;

/** Result for a response that has a success status but an unexpected body. */
export const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** An error that recognizably comes from the server itself. */
export interface OwnError {
  message: string;
  /** Reason of the error. If it is absent, the HTTP status decides. */
  code?: ProblemCode | 'gone' | undefined;
}

/** Reasons of the server's own errors, by their status. */
const CODE_BY_STATUS: Record<number, OwnError['code']> = { 401: 'unauthorized', 403: 'forbidden', 404: 'gone' };

/** Problems of operations on existing links, by the reason of the server's own error. Other reasons are refusals. */
const PROBLEMS: Partial<Record<NonNullable<OwnError['code']>, ServiceProblem>> = {
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  gone: 'gone',
  not_a_service: 'cannot_list',
};

/** Returns the result for a link that the server refuses every time. */
export function refused(code: ProblemCode, message = ''): RequestResult {
  return { kind: 'refused', code, message };
}

/** Returns the result for an error of the server, which may have created the link before the error occurred. */
export function serverError(message = ''): RequestResult {
  return { kind: 'unclear', code: 'server_error', message };
}

/** Returns the result of a probe if the server recognizably responded. */
export function recognized(service: ServiceInfo, key: ProbeReport['key']): ProbeReport {
  return { service, key, limits: NO_LIMITS };
}

/** Returns the result of a probe if the response does not come from a server of the expected kind. */
export function unrecognized({ status, json }: HttpAnswer): ProbeReport {
  const isPage = status >= 200 && status < 300 && json === undefined;
  return { service: null, key: 'unknown', limits: NO_LIMITS, ...(isPage && { isPage }) };
}

/** Parts of an adapter that creates one link with one request. */
interface CreateParts {
  /** Sends the request. Returns a result if the link is refused without a request. */
  send: (link: NewLink, context: CallContext) => Promise<HttpAnswer> | RequestResult;
  /** Converts a successful response. Returns null for every other response. */
  readCreated: (answer: HttpAnswer, link: NewLink, context: CallContext) => RequestResult | null;
  /** Returns the error in a response. Null if the response may come from a gateway. */
  readError: (answer: HttpAnswer) => OwnError | null;
  /** Reads the link that has the code of the request. */
  readTaken: (link: LinkReference, context: CallContext, answer: HttpAnswer) => Promise<ListedLink | null>;
}

/**
 * Returns the `create` of an adapter that creates one link with one request. A link that has already expired is refused
 * without a request, because some servers would create it. If the code is taken, the link that has it is read, because
 * an earlier attempt with the same request may have created it.
 */
export function createsOne({ send, readCreated, readError, readTaken }: CreateParts): ServiceAdapter['create'] {
  return async ({ links }, context) => {
    const [link] = links as [NewLink];
    const { expiresAt } = link;
    const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= context.now;
    const answer = isExpired ? refused('expired') : await send(link, context);
    if ('kind' in answer) return attemptResult([answer], false);
    const created = readCreated(answer, link, context);
    const error = readError(answer);
    if (!created && !error) return attemptResult([gatewayResult(answer)], false);
    const item = created ?? refusal(answer, error);
    return attemptResult([await settleTaken(item, link, (taken) => readTaken(taken, context, answer))], true);
  };
}

/**
 * Settles the refusal of a taken code. If the link that has the code leads to the same URL, an earlier attempt created
 * it. Every other result stays unchanged.
 *
 * @param read reads the link that has the code
 */
export async function settleTaken(
  item: RequestResult,
  link: NewLink | undefined,
  read: (link: LinkReference) => Promise<ListedLink | null>,
): Promise<RequestResult> {
  const isTaken = item.kind === 'refused' && item.code === 'short_code_taken';
  if (!isTaken || link?.shortCode === undefined) return item;
  const found = await foundIn(read({ shortCode: link.shortCode, domain: link.domain }), link.url);
  if (found.state === 'found') return { kind: 'created', shortUrl: found.shortUrl };
  return found.state === 'unknown' ? NOT_UNDERSTOOD : item;
}

/** Returns the result of an attempt without any reported limits. */
export function attemptResult(items: RequestResult[], answered: boolean): AttemptResult {
  return { items, answered, refusedAsWhole: false, limits: NO_LIMITS };
}

/** Converts an error of the server itself. If it does not say why, a status 5xx may follow a created link. */
function refusal(answer: HttpAnswer, error: OwnError | null): RequestResult {
  const { status, retryAfterSeconds } = answer;
  const { code = CODE_BY_STATUS[status] } = error ?? {};
  const message = messageOf(error);
  if (status === 429) return gatewayResult(answer);
  if (code === 'busy') return { kind: 'refused_for_now', code, message, retryAfterSeconds };
  if (!code && status >= 500) return serverError(message);
  return refused(!code || code === 'gone' ? 'refused' : code, message);
}

/**
 * Converts a response that probably came from a gateway. After a 5xx or a timeout (408), the server may have created the
 * link, because the gateway may have forwarded the request.
 */
export function gatewayResult({ status, retryAfterSeconds }: HttpAnswer): RequestResult {
  if (status >= 200 && status < 300) return NOT_UNDERSTOOD;
  if (status === 429) return { kind: 'refused_for_now', code: 'throttled', message: '', retryAfterSeconds };
  if (status >= 500 || status === 408) return serverError();
  const isNoService = status === 404 || status === 405;
  return { kind: 'not_made', code: isNoService ? 'not_a_service' : 'gateway_refused', message: '' };
}

/** Returns the result of a create request. Null if the response is about another code or URL. */
export function createdIfAsked({ shortCode, shortUrl, url }: CreatedLink, link: NewLink): RequestResult | null {
  // Some servers convert all codes to lower case.
  const isAsked = link.shortCode === undefined || shortCode.toLowerCase() === link.shortCode.toLowerCase();
  return isAsked && isSameUrl(url, link.url) ? { kind: 'created', shortUrl } : null;
}

type CreatedLink = Pick<ListedLink, 'shortCode' | 'shortUrl' | 'url'>;

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
  const { shortCode, shortUrl, url, title, createdAt, expiresAt } = link;
  if (shortCode === '' || shortCode.length > MAX_LENGTH.shortCode) return null;
  if (url === '' || url.length > MAX_LENGTH.url || !ShortUrl.safeParse(shortUrl).success) return null;
  if (createdAt !== null && !isTime(createdAt)) return null;
  return {
    ...link,
    title: title?.slice(0, MAX_LENGTH.title) || null,
    expiresAt: expiresAt !== null && isTime(expiresAt) ? expiresAt : null,
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

/** Throws a failure that does not depend on an error of the server. */
export function fail(problem: ServiceProblem): never {
  throw new OperationFailed(serviceFailure(problem));
}

/**
 * Throws the failure for an error response or an unexpected response.
 *
 * @param error null if the response may come from a gateway
 */
export function failFor({ status, retryAfterSeconds }: HttpAnswer, error: OwnError | null): never {
  const problem = problemOf(status, error);
  throw new OperationFailed({ problem, code: error?.code ?? '', message: messageOf(error), retryAfterSeconds });
}

function problemOf(status: number, error: OwnError | null): ServiceFailure['problem'] {
  if (status === 429) return 'throttled';
  if (status >= 500 && !error?.code) return 'unreachable';
  if (!error) return 'not_understood';
  const code = error.code ?? CODE_BY_STATUS[status];
  return (code && PROBLEMS[code]) ?? 'refused';
}

/** Returns null if the server itself says that no link has the code. Throws every other failure. */
export function absent(answer: HttpAnswer, error: OwnError | null): null {
  return error && problemOf(answer.status, error) === 'gone' ? null : failFor(answer, error);
}

/** Returns the message of a server's error, truncated to the length that is stored. Empty if there is no error. */
export function messageOf(error: Pick<OwnError, 'message'> | null): string {
  return error?.message.slice(0, MAX_MESSAGE_LENGTH) ?? '';
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

function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}
