import type { AttemptResult, RequestResult } from '../../servers/adapter.ts';
import { shortBaseUrlOf, supportsBatches } from '../../servers/capabilities.ts';
import { blockFor, unblock } from '../block-reasons.ts';
import { withRequests } from '../cancel-retry-pause.ts';
import { applyReportedLimits, MAX_SENDS } from '../limits.ts';
import { backoff, QUOTA_DELAY_MS } from '../retry-backoff.ts';
import { domainOf } from '../short-code-generator.ts';
import { isRepeatable, partOf } from '../start-attempt.ts';
import type { Attempt, Connection, Link, ProblemCode, Queue, QueueState, Request } from '../types.ts';
import { interpretResult, MAX_REFUSALS, wasNotDelivered } from './gateway-responses.ts';

/**
 * Maximum time in milliseconds between sending a request and receiving its response. A longer time means that the
 * computer was asleep.
 */
const ANSWER_AGE_MS = 30_000;

/** The updated queue and its new links. Both must be stored in one transaction. */
export interface AppliedResult {
  queue: Queue;
  links: Link[];
}

/**
 * Updates a queue with the result of a send attempt. Returns the updated queue and the new links.
 *
 * @param attempt the attempt as it was sent. The queue may no longer contain the attempt.
 * @param random number in [0, 1) that varies the delays
 */
export function applyResult(
  queue: Queue,
  attempt: Attempt,
  found: AttemptResult,
  now: number,
  random: number,
): AppliedResult {
  const outcome = interpretResult(found, queue.connection, attempt);
  const current = queue.attempts.find(({ id }) => id === attempt.id);
  const open = current
    ? (stillOpen(current, outcome, queue) ?? unclearPart(current, outcome, queue, now, random))
    : null;
  const openIds = new Set(open?.requestIds);
  const items = new Map(attempt.requestIds.map((id, index) => [id, itemAt(outcome, index)]));
  const links: Link[] = [];
  const requests = queue.requests.flatMap((request): Request[] => {
    const item = items.get(request.id);
    // If the queue no longer contains this attempt, a request in the state `sending` belongs to a newer attempt.
    const isItsOwn = current ? isUnderWay(request) : request.state !== 'sending';
    if (!item || !isItsOwn) return [request];
    if (item.kind === 'created') {
      links.push(linkOf(request, item.shortUrl, now, links.length));
      return [];
    }
    if (!current) return [request];
    if (openIds.has(request.id)) return [waitsForAnswer(request, item)];
    return [isCodeRefused(request, item) ? codeTaken(request) : ended(request, item, current, outcome)];
  });
  const ending = { ...queue, requests, state: { ...queue.state, lastEndedAt: now } };
  if (!current) return { links, queue: { ...ending, attempts: withRequests(queue.attempts, requests) } };
  return {
    links,
    queue: {
      ...ending,
      connection: seen(queue, current, outcome, now),
      state: after(ending.state, outcome, now, random),
      limits: isFresh(queue.state, now) ? applyReportedLimits(queue.limits, outcome.limits, now) : queue.limits,
      attempts: queue.attempts.flatMap((one) => (one === current ? (open ? [open] : []) : [one])),
    },
  };
}

/** True if the server refused only the generated short code. */
function isCodeRefused({ generatedCode }: Request, { kind, code }: Failed): boolean {
  const isRefused = kind === 'refused' && (code === 'short_code_taken' || code === 'invalid_short_code');
  return isRefused && generatedCode !== undefined;
}

/** Fails a request because its short code is taken. The user may have copied the short URL with this code. */
export function codeTaken(request: Request): Request {
  const code = request.generatedCode === undefined ? 'short_code_taken' : 'generated_code_taken';
  return { ...request, state: 'failed', problem: { code, message: '' } };
}

/** True if the request is being sent, or was being sent when the browser stopped the background script. */
function isUnderWay({ state }: Request): boolean {
  return state === 'sending' || state === 'unknown';
}

/**
 * True if the response is recent. If the computer was asleep during the request, the server time and the limits in
 * the response are outdated.
 */
function isFresh({ lastEndedAt: sentAt }: QueueState, now: number): boolean {
  return sentAt === null || now - sentAt <= ANSWER_AGE_MS;
}

/**
 * Returns the attempt if it must be sent again. Returns null if the result is final, if another send would be unsafe,
 * or if the maximum number of sends is reached.
 */
function stillOpen(attempt: Attempt, outcome: AttemptResult, queue: Queue): Attempt | null {
  if (outcome.items.some(({ kind }) => kind === 'not_made')) return turnedAway(attempt);
  if (!isRepeatable(attempt, queue.connection)) return null;
  const suspect = outcome.items.some(({ kind }) => kind === 'unclear');
  const open = { ...attempt, inFlight: false, suspect };
  if (outcome.conclusive) return saysNothingOfEarlierSends(attempt, outcome) ? open : null;
  return suspect && attempt.sends >= MAX_SENDS ? null : open;
}

/** Updates an attempt that a gateway refused. Returns null if the attempt must not be sent again. */
function turnedAway(attempt: Attempt): Attempt | null {
  const open = { ...attempt, inFlight: false, suspect: true, refusals: (attempt.refusals ?? 0) + 1 };
  return attempt.sends < (wasNotDelivered(open) ? MAX_REFUSALS : MAX_SENDS) ? open : null;
}

/**
 * Returns a new, delayed attempt for the items of a batch whose results are unknown. Returns null if there are no
 * such items, or if they must not be sent again.
 */
function unclearPart(
  attempt: Attempt,
  outcome: AttemptResult,
  queue: Queue,
  now: number,
  random: number,
): Attempt | null {
  const { connection, requests } = queue;
  if (!supportsBatches(connection) || attempt.sends >= MAX_SENDS) return null;
  const unclear = new Set(attempt.requestIds.filter((_, index) => itemAt(outcome, index).kind === 'unclear'));
  const left = requests.filter(({ id }) => unclear.has(id));
  if (!outcome.conclusive || left.length === 0) return null;
  const parks = attempt.parks + 1;
  const part = partOf(attempt, left, connection, 1);
  return { ...part, inFlight: false, parks, parkedUntil: now + backoff(parks, random) };
}

/**
 * True if an earlier POST may have created the links, although the server refused the last POST. The refusal concerns
 * only the API key or the server address.
 */
function saysNothingOfEarlierSends({ sends }: Attempt, { items }: AttemptResult): boolean {
  return sends > 1 && items.every((item) => item.kind === 'refused' && blockFor(item.code) !== null);
}

type Failed = Exclude<RequestResult, { kind: 'created' }>;

function itemAt(outcome: AttemptResult, index: number): RequestResult {
  return outcome.items[index] ?? { kind: 'unclear', code: 'not_understood', message: '' };
}

function waitsForAnswer(request: Request, { kind, code, message }: Failed): Request {
  const waits = kind === 'refused_for_now' || kind === 'not_made';
  return { ...request, state: waits ? 'waiting' : 'unknown', problem: { code, message } };
}

function ended(request: Request, item: Failed, attempt: Attempt, outcome: AttemptResult): Request {
  const problem = { code: item.code, message: item.message };
  if (item.kind === 'unclear') return { ...request, state: 'uncertain', problem };
  if (item.kind === 'refused_for_now') return { ...request, state: 'waiting', problem };
  if (item.kind === 'not_made') {
    // True unless a gateway refused every send. Another send may have created the link.
    const mayExist = (attempt.refusals ?? 0) + 1 < attempt.sends;
    if (mayExist) return { ...request, state: 'uncertain', problem };
    // A health check has shown that the server accepts the API key, so the message must not ask for another key.
    const code = item.code === 'unauthorized' ? 'refused' : item.code;
    return { ...request, state: 'failed', problem: { ...problem, code } };
  }
  return { ...request, problem, ...refused(request, item.code, attempt, outcome) };
}

/**
 * Returns the updated properties of a request after the server refused to create its link. If the server refused a
 * whole batch, the requests in the batch are sent one by one. If the server refused the API key or the address, the
 * queue is blocked and the requests wait.
 */
function refused(
  { id, attempts }: Request,
  code: ProblemCode,
  attempt: Attempt,
  outcome: AttemptResult,
): Partial<Request> {
  // The API key lacks a permission, so the problem is not the URL. No link was created.
  if (code === 'forbidden' && attempt.requestIds.length === 1) return { state: 'waiting', attempts: 0 };
  if (attempt.requestIds.length === 1) return { state: 'failed' };
  if (outcome.refusedAsWhole) return { state: 'waiting', alone: true };
  if (!blockFor(code)) return { state: 'failed' };
  return { state: 'waiting', attempts: id === attempt.requestIds[0] ? attempts : 0 };
}

/**
 * Converts a completed request to a link. Creation times differ by one microsecond per link, which preserves the
 * order of the requests.
 */
export function linkOf(request: Request, shortUrl: string, now: number, index: number): Link {
  const { id, connectionId, groupId, url, title, options } = request;
  return {
    id,
    connectionId,
    groupId,
    url,
    title: options.title ?? title,
    shortUrl,
    shortCode: codeIn(shortUrl),
    createdAt: now + index / 1000,
    expiresAt: options.expiresAt === null ? null : Date.parse(options.expiresAt),
    tags: options.tags ?? [],
  };
}

/** Returns the short code in a short URL. Percent-encoded characters are decoded. */
export function codeIn(shortUrl: string): string {
  return decodeCode(URL.parse(shortUrl)?.pathname.split('/').pop() ?? '');
}

export function decodeCode(code: string): string {
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}

function seen({ connection, requests }: Queue, attempt: Attempt, outcome: AttemptResult, now: number): Connection {
  const index = outcome.items.findIndex((item) => item.kind === 'created');
  const created = outcome.items[index];
  if (created?.kind !== 'created') return connection;
  const request = requests.find(({ id }) => id === attempt.requestIds[index]);
  // The connection's domain may have changed while the request was being sent.
  const isOnDomain = request && domainOf(request, connection) === (connection.domain ?? null);
  const taught = isOnDomain ? learnShortBase(connection, created.shortUrl) : connection;
  return { ...taught, lastSeenWellAt: now };
}

/** Learns the base address of short URLs from a new link, if the server has not reported this address. */
function learnShortBase(connection: Connection, shortUrl: string): Connection {
  const { service, domain } = connection;
  if (!service || shortBaseUrlOf(service, domain) !== '') return connection;
  const code = codeIn(shortUrl);
  const base = shortUrl.slice(0, shortUrl.length - code.length).replace(/\/+$/, '');
  if (code === '' || !shortUrl.endsWith(code)) return connection;
  if (domain === undefined) return { ...connection, service: { ...service, shortBaseUrl: base } };
  const others = (service.domains ?? []).filter(({ name }) => name !== domain);
  return { ...connection, service: { ...service, domains: [...others, { name: domain, shortBaseUrl: base }] } };
}

function after(state: QueueState, outcome: AttemptResult, now: number, random: number): QueueState {
  const unclear = outcome.items.some(({ kind }) => kind === 'unclear' || kind === 'not_made');
  // If the server accepted or refused at least one item of a batch, the server is healthy, even if other items
  // failed.
  const inDoubt = unclear && !outcome.items.some(({ kind }) => kind === 'created' || kind === 'refused');
  const isNotUnderstood =
    inDoubt && outcome.items.some((item) => item.kind === 'unclear' && item.code === 'not_understood');
  const { isDoubtful: _, ...decided } = withBlock(state, outcome);
  const next: QueueState = {
    ...(inDoubt ? withBlock(state, outcome) : decided),
    // The next health check shows whether the server or the request caused the failure.
    probeDue: state.probeDue || inDoubt,
    ...(isNotUnderstood && { isDoubtful: true as const }),
  };
  const limit = outcome.items.map(limitOf).find((found) => found !== null);
  if (limit) return paused(next, limit, now, random);
  return inDoubt ? next : { ...next, failures: 0, wait: null };
}

/**
 * Blocks the queue if the server refused the connection's API key or address. If the server created a link, it
 * accepts the key, so the function removes any block that a refused key caused.
 */
function withBlock(state: QueueState, { items }: AttemptResult): QueueState {
  const refusals = items.filter((item) => item.kind === 'refused');
  const blocked = refusals.map(({ code }) => blockFor(code)).find((found) => found !== null);
  if (blocked) return { ...state, blocked };
  return items.some(({ kind }) => kind === 'created') ? unblock(state, 'key_accepted') : state;
}

const PAUSE_REASON = { throttled: 'throttle', quota_exceeded: 'quota', busy: 'busy' } as const;

interface ServiceLimit {
  reason: (typeof PAUSE_REASON)[keyof typeof PAUSE_REASON];
  retryAfterSeconds: number | null;
}

function limitOf(item: RequestResult): ServiceLimit | null {
  if (item.kind !== 'refused_for_now') return null;
  return { reason: PAUSE_REASON[item.code], retryAfterSeconds: item.retryAfterSeconds };
}

/**
 * Delays the queue for as long as the server requested. If the server requested no delay or a delay of zero, the
 * extension guesses the delay.
 */
function paused(state: QueueState, { reason, retryAfterSeconds }: ServiceLimit, now: number, random: number) {
  const failures = state.failures + 1;
  const named = retryAfterSeconds !== null && retryAfterSeconds > 0;
  const guess = reason === 'quota' ? QUOTA_DELAY_MS : backoff(failures, random);
  const until = now + (named ? retryAfterSeconds * 1000 : guess);
  return { ...state, failures, wait: { until, reason, named } };
}
