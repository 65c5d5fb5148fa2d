import type { AttemptResult, RequestResult } from '../servers/adapter.ts';
import { capabilitiesOf } from '../servers/capabilities.ts';
import { applyReportedLimits, backoff, MAX_SENDS, QUOTA_DELAY_MS, retryDelay } from './limits.ts';
import { delayed, isStuck, needsUser, smallerBatch, unanswered } from './sending.ts';
import type { BlockReason, Connection, Link, ProblemCode, Queue, QueueState, Request } from './types.ts';

/** Maximum number of times that a gateway may refuse a request before the request fails. */
const MAX_REFUSALS = 3;

/** The updated queue and its new links. Both must be stored in one transaction. */
export interface AppliedResult {
  queue: Queue;
  links: Link[];
}

type Failed = Exclude<RequestResult, { kind: 'created' }>;

/**
 * Updates a queue with the result of a send. Returns the updated queue and the new links.
 *
 * @param sent the requests as they were sent. The queue may no longer contain them.
 * @param random number in [0, 1) that varies the delays
 */
export function applyResult(
  queue: Queue,
  sent: Request[],
  result: AttemptResult,
  now: number,
  random: number,
): AppliedResult {
  const { connection } = queue;
  const items = sent.map((request, index) => weighItem(result.items[index] ?? NOTHING, connection, request));
  const itemOf = new Map(sent.map(({ id }, index) => [id, items[index]]));
  const isServerWell = items.some(({ kind }) => kind === 'created' || kind === 'refused');
  // If the server is healthy, only the requests that it did not answer are at fault.
  const isInDoubt = !isServerWell && items.some(isNoAnswer);
  const links: Link[] = [];
  const isAlone = sent.length === 1;
  const requests = queue.requests.flatMap((request): Request[] => {
    const item = itemOf.get(request.id);
    if (item?.kind === 'created') {
      links.push(linkOf(request, item.shortUrl, now, links.length));
      return [];
    }
    // A request that is no longer `sending` was left to the user in the meantime.
    if (!item || request.state !== 'sending') return [request];
    const ended = end(request, item, connection, result, now);
    const isAtFault = isServerWell && isNoAnswer(item);
    const next = isAtFault ? delayed(ended, connection, isAlone, now, random) : ended;
    const isSplit = isAtFault || (result.refusedAsWhole && !isAlone);
    const maxBatch = isSplit ? smallerBatch(sent.length) : next.maxBatch;
    return [{ ...next, maxBatch, ...(isInDoubt && { isSuspect: true }) }];
  });
  const isCurrent = queue.requests.some(({ id, state }) => itemOf.has(id) && state === 'sending');
  const state = { ...queue.state, lastEndedAt: now };
  if (!isCurrent) return { links, queue: { ...queue, requests, state } };
  const known = links.length > 0 ? { ...connection, lastSeenWellAt: now } : connection;
  return {
    links,
    queue: {
      requests,
      // After a failure, the server no longer counts as reachable, so the next step probes it.
      connection: isInDoubt ? { ...known, serviceReadAt: null } : known,
      state: stateAfter(state, items, isInDoubt, now, random),
      limits: applyReportedLimits(queue.limits, result.limits, now),
    },
  };
}

/** True if a result says nothing about the server, because a gateway may have caused it. */
function isNoAnswer({ kind }: RequestResult): boolean {
  return kind === 'unclear' || kind === 'not_made';
}

/** Result of a request that the response does not mention. */
const NOTHING: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/**
 * Decides whether a refusal comes from the server itself or from a gateway in front of it. If the server worked
 * before, a web page or a redirect counts as the gateway's. A refused API key counts only after a health check has
 * confirmed it.
 */
function weighItem(item: RequestResult, connection: Connection, { attempts }: Request): RequestResult {
  if (item.kind !== 'refused' && item.kind !== 'not_made') return item;
  const { kind, code, message } = item;
  if (code === 'unauthorized' && capabilitiesOf(connection).checksKey) return { kind: 'not_made', code, message };
  if (code !== 'not_a_service' && code !== 'redirected') return item;
  // If the server has never worked, its address is probably wrong, so repeated refusals are final.
  const isFinal = kind === 'refused' || attempts >= MAX_REFUSALS;
  if (!hasWorked(connection) && isFinal) return { kind: 'refused', code, message };
  return { kind: 'not_made', code: 'gateway_refused', message: '' };
}

/** True if the server has worked before: it returned its service document, accepted the API key or created a link. */
export function hasWorked({ service, lastSeenWellAt }: Connection): boolean {
  return service !== null || lastSeenWellAt !== null;
}

/** Returns a request after a send that created no link, or may have created one. */
function end(request: Request, item: Failed, connection: Connection, result: AttemptResult, now: number): Request {
  const { code, message } = item;
  const ended = { ...request, problem: { code, message } };
  const pending: Request = { ...ended, state: request.mayExist ? 'unknown' : 'waiting' };
  // The server itself delayed or answered the request, so the send does not count.
  const uncounted = { ...pending, attempts: request.attempts - 1 };
  switch (item.kind) {
    case 'unclear':
      return unanswered(ended, connection);
    case 'refused_for_now':
      // A gateway may limit only this request. It must not use up the quota or hold up the others.
      if (!result.answered || code === 'busy') return { ...pending, retryAt: now + capDelay(request) };
      return uncounted;
    case 'not_made':
      if (request.attempts < (request.mayExist ? MAX_SENDS : MAX_REFUSALS)) return pending;
      if (request.mayExist) return { ...ended, state: 'uncertain' };
      // A health check has shown that the server accepts the API key, so the message must not ask for another key.
      return { ...ended, state: 'failed', problem: { code: code === 'unauthorized' ? 'refused' : code, message } };
    case 'refused':
      if (isCodeGenerated(request) && (code === 'short_code_taken' || code === 'invalid_short_code'))
        return codeTaken(ended);
      // If the server refuses the API key or a whole batch, no request of it is at fault.
      if (blockFor(code) || (result.refusedAsWhole && result.items.length > 1)) return uncounted;
      return { ...ended, state: 'failed' };
  }
}

/** Returns the delay of a request that was sent as often as one request may be sent in a day. */
function capDelay({ attempts }: Request): number {
  const delay = retryDelay(attempts, 1);
  return delay > QUOTA_DELAY_MS ? delay : 0;
}

/** Fails a request because its short code is taken. The user may have copied the short URL with this code. */
export function codeTaken(request: Request): Request {
  const code = isCodeGenerated(request) ? 'generated_code_taken' : 'short_code_taken';
  return { ...request, state: 'failed', problem: { code, message: '' } };
}

function isCodeGenerated({ options, sent }: Request): boolean {
  return options.shortCode === null && sent?.item.shortCode !== undefined;
}

/**
 * Converts a completed request to a link. Creation times differ by one microsecond per link, which preserves the
 * order of the requests.
 */
export function linkOf(request: Request, shortUrl: string, now: number, index: number): Link {
  const { id, connectionId, listId, url, title, options } = request;
  const expiresAt = request.sent?.item.expiresAt ?? options.expiresAt;
  return {
    id,
    connectionId,
    listId,
    url,
    title: options.title ?? title,
    shortUrl,
    shortCode: codeIn(shortUrl),
    createdAt: now + index / 1000,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    tags: options.tags ?? [],
  };
}

/** Returns the short code in a short URL. Percent-encoded characters are decoded. */
export function codeIn(shortUrl: string): string {
  const code = URL.parse(shortUrl)?.pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}

function stateAfter(state: QueueState, items: RequestResult[], isInDoubt: boolean, now: number, random: number) {
  const next = withBlock(state, items);
  const limit = items.find((item) => item.kind === 'refused_for_now');
  if (limit) return delayedBy(next, limit, now, random);
  return isInDoubt ? next : { ...next, failures: 0, wait: null };
}

/**
 * Blocks the queue if the server refused the connection's API key or address. If the server created a link, it
 * accepts the key, so the function removes any block that a refused key caused.
 */
function withBlock(state: QueueState, items: RequestResult[]): QueueState {
  const refusals = items.filter((item) => item.kind === 'refused');
  const blocked = refusals.map(({ code }) => blockFor(code)).find((found) => found !== undefined);
  if (blocked) return { ...state, blocked };
  return items.some(({ kind }) => kind === 'created') ? unblock(state, ...KEY_REFUSALS) : state;
}

const WAIT_REASON = { throttled: 'throttle', quota_exceeded: 'quota', busy: 'busy' } as const;

/**
 * Delays the queue for as long as the server requested. If the server requested no delay or a delay of zero, the
 * extension guesses the delay.
 */
function delayedBy(
  state: QueueState,
  { code, retryAfterSeconds }: Extract<RequestResult, { kind: 'refused_for_now' }>,
  now: number,
  random: number,
): QueueState {
  const reason = WAIT_REASON[code];
  const failures = state.failures + 1;
  const named = retryAfterSeconds !== null && retryAfterSeconds > 0;
  const guess = reason === 'quota' ? QUOTA_DELAY_MS : backoff(failures, random);
  const until = now + (named ? retryAfterSeconds * 1000 : guess);
  return { ...state, failures, wait: { until, reason, named } };
}

/** Reasons for a block that the server gave for the API key. */
export const KEY_REFUSALS = ['unauthorized', 'forbidden'] as const satisfies BlockReason[];

/** Reasons for a block that the user can end by trying again. */
export const SERVER_REFUSALS = [...KEY_REFUSALS, 'not_a_service', 'redirected'] as const satisfies BlockReason[];

/** Returns the reason to block the whole queue after a problem. Undefined if the problem concerns only one URL. */
export function blockFor(code: ProblemCode): BlockReason | undefined {
  return SERVER_REFUSALS.find((reason) => reason === code);
}

/** Unblocks a queue if one of these reasons blocks it. */
export function unblock(state: QueueState, ...reasons: BlockReason[]): QueueState {
  return state.blocked && reasons.includes(state.blocked) ? { ...state, blocked: null } : state;
}

/** Changes to a queue that must be reported to the user. */
export interface Finished {
  links: FinishedLink[];
  /** Requests that now need the user's action. */
  stuck: Request[];
  /** Ids of bulk lists that no longer contain unfinished requests. */
  listIds: string[];
}

/** A new link, with the details that its notification needs. */
export interface FinishedLink {
  link: Link;
  source: Request['source'];
  /** Time in milliseconds between submitting the URL and creating the link. */
  waitedMs: number;
}

/** Compares a queue before and after a change. Returns null if there is nothing to report to the user. */
export function finishedBetween(before: Queue, after: Queue, links: Link[], now: number): Finished | null {
  if (before === after && links.length === 0) return null;
  const requests = new Map(before.requests.map((request) => [request.id, request]));
  const finished: Finished = {
    links: links.map((link) => {
      const request = requests.get(link.id);
      return { link, source: request?.source ?? 'background', waitedMs: now - (request?.createdAt ?? now) };
    }),
    stuck: newlyStuck(before, after),
    listIds: [...unfinishedLists(before).difference(unfinishedLists(after))],
  };
  return Object.values(finished).some((list) => list.length > 0) ? finished : null;
}

/**
 * Returns the requests that need the user's action in `after` but not in `before`. If a failed request blocked the
 * queue, the requests that wait behind the failed request are left out.
 */
function newlyStuck(before: Queue, after: Queue): Request[] {
  const stuckBefore = new Set(before.requests.filter(needsUser(before)).map(({ id }) => id));
  const stuck = after.requests.filter(needsUser(after)).filter(({ id }) => !stuckBefore.has(id));
  const ended = stuck.filter(({ state }) => state !== 'waiting');
  return ended.length > 0 ? ended : stuck;
}

function unfinishedLists({ requests }: Queue): Set<string> {
  return new Set(requests.flatMap((request) => (isStuck(request) ? [] : (request.listId ?? []))));
}
