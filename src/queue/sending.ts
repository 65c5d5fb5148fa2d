import type { NewCodes } from '@terse/contract/service-capabilities';
import type { CreateRequest, NewLink } from '../servers/adapter.ts';
import { capabilitiesOf, needsCodes, needsLookUp, shortBaseUrlOf } from '../servers/capabilities.ts';
import { MAX_SENDS, recordSend, retryDelay } from './limits.ts';
import type { Connection, Expiry, LinkItem, Queue, Request } from './types.ts';

/**
 * Delay in milliseconds between a send and the first automatic look-up of its short code. By then, a server that
 * requires look-ups has finished creating the link.
 */
const LOOK_UP_AFTER_MS = 15_000;

/** Maximum duration of an HTTP request that creates links (see `CREATE_TIMEOUT_MS`). */
const MAX_SEND_MS = 20_000;

/**
 * Starts to send requests: they become `sending`, and the send counts against the quota. The returned queue must be
 * stored before the requests are sent.
 */
export function startSend(queue: Queue, ids: string[], now: number): Queue {
  const { connection, state, limits } = queue;
  const requests = queue.requests.map((request): Request => {
    if (!ids.includes(request.id)) return request;
    const ready = freeze(request, connection, now);
    // If the link cannot exist, the server does not know the idempotency key, whose lifetime starts now.
    const firstAt = ready.mayExist ? ready.sent.firstAt : now;
    const sent = { ...ready.sent, firstAt, lastAt: now };
    return { ...ready, sent, state: 'sending', attempts: request.attempts + 1, retryAt: null, lookUpDue: false };
  });
  // Start time of the HTTP request. The end time replaces this value when the HTTP request ends.
  return { ...queue, requests, state: { ...state, lastEndedAt: now }, limits: recordSend(limits, now) };
}

type Frozen = Request & Required<Pick<Request, 'sent'>>;

/** Fixes the content of a request before its first send. A request that was sent before stays unchanged. */
export function freeze(request: Request, connection: Connection, now: number): Frozen {
  const { sent } = request;
  if (sent) return { ...request, sent };
  const item = itemOf(request, connection, now);
  // `/api/shorten` is used only for a plain URL on a server that does not support batches.
  const path =
    Object.keys(item).length > 1 || capabilitiesOf(connection).batchSize > 1 ? '/api/v1/urls' : '/api/shorten';
  return { ...request, sent: { path, item, firstAt: now, lastAt: now } };
}

function itemOf(request: Request, connection: Connection, now: number): LinkItem {
  const { url, options } = request;
  const { title, tags } = options;
  const { domain } = connection;
  const shortCode = options.shortCode ?? generatedCode(request, connection);
  const expiresAt = expiryOf(request, connection, now);
  return {
    url,
    ...(shortCode && { shortCode }),
    ...(domain && { domain }),
    ...(title && { title }),
    ...(expiresAt && { expiresAt }),
    ...(tags && { tags }),
  };
}

/**
 * Returns the short code that the extension generates for a request, so that the user can copy the short URL before the
 * server has created the link. Null if the user or the server chooses the code.
 */
export function generatedCode({ options, sent, idempotencyKey }: Request, connection: Connection): string | null {
  if (options.shortCode !== null) return null;
  if (sent) return sent.item.shortCode ?? null;
  const codes = capabilitiesOf(connection).generatedCode;
  return codes && codeFor(idempotencyKey, codes);
}

/** Derives a short code from an idempotency key. The key is random, so all codes are equally likely. */
export function codeFor(key: string, { alphabet, length }: NewCodes): string {
  const symbols = BigInt(alphabet.length);
  // Reads the key as one large number. Only the remainder after a division by the number of codes matters.
  let number = 0n;
  for (let index = 0; index < key.length; index += 1) number = number * 31n + BigInt(key.charCodeAt(index));
  let code = '';
  for (; code.length < length; number /= symbols) code += alphabet[Number(number % symbols)];
  return code;
}

/**
 * Returns the short URL that a waiting request will get. Returns null if the short URL cannot be predicted, for
 * example because the server chooses the code.
 */
export function promisedShortUrl(request: Request, connection: Connection): string | null {
  const { service } = connection;
  const domain = request.sent ? request.sent.item.domain : connection.domain;
  const base = URL.parse(service ? shortBaseUrlOf(service, domain) : '');
  const code = generatedCode(request, connection);
  if (!code || !base || isStuck(request) || capabilitiesOf(connection).reusesLinks) return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${code}`;
}

export const EXPIRIES = ['never', 'hour', 'day', 'week', 'month'] as const satisfies Expiry[];

/**
 * Returns the time, in milliseconds since the epoch, at which a link that is created now expires. Returns null if the
 * link never expires. `month` means the same day of the next month, or the last day of the next month if it is too
 * short.
 */
export function expiryAt(expiry: Expiry, now: number): number | null {
  if (expiry === 'never') return null;
  if (expiry === 'hour') return now + 3_600_000;
  const date = new Date(now);
  if (expiry === 'day') date.setDate(date.getDate() + 1);
  if (expiry === 'week') date.setDate(date.getDate() + 7);
  if (expiry === 'month') {
    const day = date.getDate();
    date.setMonth(date.getMonth() + 1);
    // If the next month is too short for this day, `setMonth` moves the date into the following month. `setDate(0)`
    // then goes back to the last day of the shorter month.
    if (date.getDate() !== day) date.setDate(0);
  }
  return date.getTime();
}

/**
 * Returns the expiry date of a request's link, or null if the link does not expire. A default lifetime starts when the
 * request is first sent. It does nothing if the server does not support expiry dates.
 *
 * @param now time of the first send in milliseconds
 */
function expiryOf({ options, defaultExpiry = 'never' }: Request, connection: Connection, now: number) {
  if (options.expiresAt !== null || !capabilitiesOf(connection).expiry) return options.expiresAt;
  const at = expiryAt(defaultExpiry, now);
  return at === null ? null : new Date(at).toISOString();
}

/** Returns the link that a request asks for, with the request's own idempotency key. */
export function newLinkOf(request: Request, connection: Connection): NewLink {
  const item = request.sent?.item ?? itemOf(request, connection, request.createdAt);
  return { ...item, idempotencyKey: request.idempotencyKey };
}

/**
 * Builds the POST that sends one request, or several requests in a batch.
 *
 * @param batchKey idempotency key of the batch, which prevents that a repeated HTTP request counts twice
 */
export function postOf(requests: Request[], connection: Connection, batchKey: string): CreateRequest {
  const requestIds = requests.map(({ id }) => id);
  const links = requests.map((request) => newLinkOf(request, connection));
  const [only, ...others] = requests;
  if (!only?.sent || others.length > 0) {
    const body = JSON.stringify({ urls: links });
    return { path: '/api/v1/urls/batch', idempotencyKey: batchKey, body, requestIds, links };
  }
  const { path, item } = only.sent;
  return { path, idempotencyKey: only.idempotencyKey, body: JSON.stringify(item), requestIds, links };
}

/**
 * True if a request can be sent again without creating a second link. If the server recognizes links by their short
 * codes, the request must have a code.
 */
export function isRepeatable({ sent }: Request, connection: Connection): boolean {
  if (needsCodes(connection)) return sent?.item.shortCode !== undefined;
  return capabilitiesOf(connection).safeRetry !== 'none';
}

/** True if this is the same connection, and the address, the API key and the kind of its server have not changed. */
export function isSameServer(one: Pick<Connection, 'id' | 'revision' | 'kind'>, other: typeof one): boolean {
  return one.id === other.id && one.revision === other.revision && one.kind === other.kind;
}

/** True if the server can be asked whether the link of a request exists. */
export function canLookUp({ sent }: Request, connection: Connection): boolean {
  return capabilitiesOf(connection).list && sent?.item.shortCode !== undefined;
}

/**
 * Marks a request whose last send got no answer. The request is repeated automatically if that is safe. Otherwise, the
 * user decides.
 */
export function unanswered(request: Request, connection: Connection): Request {
  const isRepeated = isRepeatable(request, connection) && request.attempts < MAX_SENDS;
  return { ...request, mayExist: true, state: isRepeated ? 'unknown' : 'uncertain' };
}

/**
 * Delays a request after a failed send. If the request was sent alone, its short code is first looked up, which costs
 * no quota. Sending a batch again costs less time than looking up each of its links.
 */
export function delayed(request: Request, connection: Connection, isAlone: boolean, now: number, random = 1): Request {
  if (!isPending(request)) return request;
  if (isAlone && request.mayExist && canLookUp(request, connection)) return withLookUp(request, connection);
  return { ...request, retryAt: now + retryDelay(request.attempts, random) };
}

/** Returns a request whose last send says nothing about the server any more. */
export function withoutSuspicion({ isSuspect: _, ...request }: Request): Request {
  return request;
}

/** Schedules a look-up. A server that requires look-ups may need some time after the send to create the link. */
export function withLookUp(request: Request, connection: Connection): Request {
  const retryAt = needsLookUp(connection) && request.sent ? request.sent.lastAt + LOOK_UP_AFTER_MS : null;
  return { ...request, lookUpDue: true, retryAt };
}

/**
 * Repairs a queue after the browser has stopped the background script, which may happen at any point. Runs before the
 * first use of each queue. The result of an interrupted send is unknown, and the send is treated as if it ended now.
 */
export function recover(queue: Queue, now: number): Queue {
  const { connection, state } = queue;
  const sending = queue.requests.filter((request) => request.state === 'sending');
  // If an HTTP request may still be in progress, the delay before the next one starts now.
  const mayBeOpen = state.lastEndedAt !== null && now - state.lastEndedAt < MAX_SEND_MS;
  if (sending.length === 0 && !mayBeOpen) return queue;
  const requests = queue.requests.map((request): Request => {
    if (request.state !== 'sending') return request;
    const problem = { code: 'interrupted' as const, message: '' };
    return delayed(unanswered({ ...request, problem }, connection), connection, sending.length === 1, now);
  });
  return { ...queue, requests, state: { ...state, lastEndedAt: now } };
}

/** Largest number of requests in a batch. */
export const LARGEST_BATCH = 50;

/** Largest number of requests in a batch of requests whose larger batch has failed. */
const SMALL_BATCH = 7;

/** Returns the largest batch for requests whose batch of this size has failed. */
export function smallerBatch(size: number): number {
  return size > SMALL_BATCH ? SMALL_BATCH : 1;
}

/** True if the request will be sent or looked up automatically. */
export function isPending({ state }: Request): boolean {
  return state === 'waiting' || state === 'unknown';
}

/** True if the user must decide about the request: it failed, or its link may already exist. */
export function isStuck({ state }: Request): boolean {
  return state === 'failed' || state === 'uncertain';
}

/**
 * Returns a function that checks whether a request requires user action. User action is required for failed and
 * uncertain requests, and for waiting requests in a blocked queue.
 */
export function needsUser({ state }: Pick<Queue, 'state'>): (request: Request) => boolean {
  const isBlocked = state.blocked !== null;
  return (request) => isStuck(request) || (isBlocked && request.state !== 'sending');
}
