import {
  type AttemptResult,
  isIdempotent,
  type RequestResult,
  supportsBatches,
} from '../../services/service-adapter.ts';
import { blockFor, unblock } from '../block-reasons.ts';
import { withRequests } from '../cancel-retry-pause.ts';
import { MAX_SENDS } from '../limits/daily-quota.ts';
import { applyReportedLimits, dateSends, notAhead } from '../limits/reported-limits.ts';
import { attemptBackoff, quotaBackoff, refusedBackoff } from '../retry-backoff.ts';
import { type CodeGeneration, regenerateCode, wasShortUrlUsed } from '../short-code-generator.ts';
import { hasItemKeys, partOf } from '../start-attempt.ts';
import type { Attempt, Connection, Link, ProblemCode, Queue, QueueState, Request, Send, Time } from '../types.ts';
import { interpretResult, MAX_REFUSALS, wasNotDelivered } from './gateway-responses.ts';

/** No answer takes longer, unless the computer slept over it. */
const ANSWER_AGE_MS = 30_000;

/** A queue and the links that came of reaching it: both are stored in one transaction. */
export interface AppliedResult {
  queue: Queue;
  links: Link[];
}

/**
 * Ends the sending of an attempt with what became of it. Each of its requests ends in a link, is failed, waits again, is
 * unanswered or is undecided; none vanishes. `random` in [0, 1) spreads the back-off. A minted code that somebody else has
 * is minted again.
 *
 * @param attempt as it was begun; where the queue has it no more (its private window was closed, its connection was given
 *   another key), a link that was made is taken in all the same, and nothing else is concluded
 */
export function applyResult(
  queue: Queue,
  attempt: Attempt,
  found: AttemptResult,
  time: Time,
  random: number,
  minting: CodeGeneration,
): AppliedResult {
  const outcome = interpretResult(found, queue.connection, attempt);
  const current = queue.attempts.find(({ id }) => id === attempt.id);
  const open = current ? (stillOpen(current, outcome, queue) ?? unclearPart(current, outcome, queue, time)) : null;
  const openIds = new Set(open?.requestIds);
  const items = new Map(attempt.requestIds.map((id, index) => [id, itemAt(outcome, index)]));
  const links: Link[] = [];
  const requests = queue.requests.flatMap((request): Request[] => {
    const item = items.get(request.id);
    // Without its attempt a request is no longer `sending`, unless another attempt has it by now.
    const isItsOwn = current ? isUnderWay(request) : request.state !== 'sending';
    if (!item || !isItsOwn) return [request];
    if (item.kind === 'created') {
      links.push(linkOf(request, item.shortUrl, time, links.length));
      return [];
    }
    if (!current) return [request];
    const sent = { ...request, sends: dateSends(request.sends, outcome.date) };
    if (openIds.has(request.id)) return [waitsForAnswer(sent, item)];
    return [
      isCodeRefused(sent, item)
        ? regenerateCode(sent, queue.connection, minting)
        : ended(sent, item, current, outcome, queue.connection),
    ];
  });
  const ending = { ...queue, requests, state: { ...queue.state, lastEndedAt: time.now } };
  if (!current) return { links, queue: { ...ending, attempts: withRequests(queue.attempts, requests) } };
  return {
    links,
    queue: {
      ...ending,
      connection: seen(queue.connection, outcome, time),
      state: after(ending.state, outcome, time, random),
      budget: isFresh(queue.state, time) ? applyReportedLimits(queue.budget, outcome, time) : queue.budget,
      attempts: queue.attempts.flatMap((one) => (one === current ? (open ? [open] : []) : [one])),
    },
  };
}

/** Whether it is the code that the service does not take, which nobody chose. */
function isCodeRefused({ minted }: Request, { kind, code }: Failed): boolean {
  return minted !== undefined && kind === 'refused' && (code === 'short_code_taken' || code === 'invalid_short_code');
}

/** Being sent, or taken for unanswered by a background that took over while it was. */
function isUnderWay({ state }: Request): boolean {
  return state === 'sending' || state === 'unanswered';
}

/** Whether the answer is of this moment. Where the computer slept over it, what it reports of time and limits is out of date. */
function isFresh({ lastEndedAt: sentAt }: QueueState, time: Time): boolean {
  return sentAt === null || time.now - sentAt <= ANSWER_AGE_MS;
}

/**
 * The attempt, to be sent again; null where the service decided about it, where it cannot be sent again safely, or has been
 * often enough.
 */
function stillOpen(attempt: Attempt, outcome: AttemptResult, queue: Queue): Attempt | null {
  if (outcome.items.some(({ kind }) => kind === 'not_made')) return turnedAway(attempt, outcome, queue);
  if (!isIdempotent(queue.connection)) return null;
  const suspect = outcome.items.some(({ kind }) => kind === 'unclear');
  const open = { ...attempt, inFlight: false, suspect, firstSend: firstSendOf(attempt, outcome) };
  if (outcome.conclusive) return saysNothingOfEarlierSends(attempt, outcome) ? open : null;
  return suspect && attempt.sends >= MAX_SENDS ? null : open;
}

/** The attempt after a send that was not passed on to the service. An error of a server is likelier to pass than a refusal. */
function turnedAway(attempt: Attempt, outcome: AttemptResult, { connection, requests }: Queue): Attempt | null {
  const open = { ...attempt, inFlight: false, suspect: true, refusals: (attempt.refusals ?? 0) + 1 };
  const isServerError = outcome.items.some((item) => item.kind === 'not_made' && item.code === 'server_error');
  // A gateway's error does not prove that no link was made. Without idempotency keys, only one more try is worth the risk.
  const hadServerError = requests.some(
    ({ id, problem }) => attempt.requestIds.includes(id) && problem?.code === 'server_error',
  );
  if (isServerError && hadServerError && !isIdempotent(connection)) return null;
  const maximum = wasNotDelivered(open) && !isServerError ? MAX_REFUSALS : MAX_SENDS;
  return attempt.sends < maximum ? open : null;
}

/**
 * What a batch's answer decided nothing about (an item with a 5xx, or none at all), as an attempt of its own, parked: it goes
 * again under the keys of its items. Null where nothing is left so, or the service knows no item by its key.
 */
function unclearPart(attempt: Attempt, outcome: AttemptResult, queue: Queue, time: Time): Attempt | null {
  const { connection, requests } = queue;
  if (!supportsBatches(connection) || !hasItemKeys(attempt) || attempt.sends >= MAX_SENDS) return null;
  const unclear = new Set(attempt.requestIds.filter((_, index) => itemAt(outcome, index).kind === 'unclear'));
  const left = requests.filter(({ id }) => unclear.has(id));
  if (!outcome.conclusive || left.length === 0) return null;
  const { parks } = attempt;
  const part = partOf({ ...attempt, firstSend: firstSendOf(attempt, outcome) }, left, connection, 1);
  return { ...part, inFlight: false, parks: parks + 1, parkedUntil: time.now + attemptBackoff(parks) };
}

/** The answer to the first send dates it, whatever our own clock said: it got there no later, and hardly before. */
function firstSendOf({ firstSend, sends }: Attempt, { date }: AttemptResult): Send {
  return sends === 1 && date !== null ? { atService: date, confirmed: true } : notAhead(firstSend, date);
}

/** A key refused by now says nothing of what came of an earlier send of the same, which no answer told of. */
function saysNothingOfEarlierSends({ sends }: Attempt, { items }: AttemptResult): boolean {
  return sends > 1 && items.every((item) => item.kind === 'refused' && blockFor(item.code) !== null);
}

type Failed = Exclude<RequestResult, { kind: 'created' }>;

function itemAt(outcome: AttemptResult, index: number): RequestResult {
  return outcome.items[index] ?? { kind: 'unclear', code: 'not_understood', message: '' };
}

/** A request of an attempt that goes again: refused for now it waits, else nobody can tell what came of it. */
function waitsForAnswer(request: Request, { kind, code, message }: Failed): Request {
  const waits = kind === 'refused_for_now' || kind === 'not_made';
  return { ...request, state: waits ? 'waiting' : 'unanswered', problem: { code, message } };
}

function ended(
  request: Request,
  item: Failed,
  attempt: Attempt,
  outcome: AttemptResult,
  connection: Connection,
): Request {
  const problem = { code: item.code, message: item.message };
  if (item.kind === 'unclear') return { ...request, state: 'undecided', problem };
  if (item.kind === 'refused_for_now') return { ...request, state: 'waiting', problem };
  if (item.kind === 'not_made') {
    // An earlier send that got no answer may have made the link.
    const isMade = (attempt.refusals ?? 0) + 1 < attempt.sends;
    const isOpen = isMade || (item.code === 'server_error' && !isIdempotent(connection));
    if (isOpen) return { ...request, state: 'undecided', problem };
    // The probes accepted the key, so another key would not help.
    const code = item.code === 'unauthorized' ? 'refused' : item.code;
    return { ...request, state: 'failed', problem: { ...problem, code } };
  }
  return { ...request, problem, ...refused(request, item.code, attempt, outcome) };
}

/**
 * What a refusal for good comes to. A batch refused as a whole says nothing of its members: they go one by one, and only
 * what is refused alone has failed. What would be refused whatever its URL was waits for the person to mend the
 * connection, as if never sent; the first of a batch goes alone then, so that each try ends one request.
 */
function refused(
  { id, attempts }: Request,
  code: ProblemCode,
  attempt: Attempt,
  outcome: AttemptResult,
): Partial<Request> {
  // It would be refused whatever its URL is, and the service did nothing with it.
  if (code === 'forbidden' && attempt.requestIds.length === 1) return { state: 'waiting', attempts: 0 };
  if (attempt.requestIds.length === 1) return { state: 'failed' };
  // Sent before as a batch alone, without keys of its items: what came of that, nobody can tell.
  if (attempt.sends > 1 && !hasItemKeys(attempt)) return { state: 'undecided' };
  if (outcome.refusedAsWhole) return { state: 'waiting', alone: true };
  if (!blockFor(code)) return { state: 'failed' };
  return { state: 'waiting', attempts: id === attempt.requestIds[0] ? attempts : 0 };
}

/** Links that arrive together keep the order in which they were asked for: a microsecond lies between two. */
export function linkOf(request: Request, shortUrl: string, time: Time, index: number): Link {
  const { id, connectionId, groupId, url, title, options, handedOut } = request;
  return {
    id,
    connectionId,
    groupId,
    url,
    title,
    shortUrl,
    shortCode: codeIn(shortUrl),
    createdAt: time.now + index / 1000,
    expiresAt: options.expiresAt === null ? null : Date.parse(options.expiresAt),
    private: request.private,
    ...wasShortUrlUsed(shortUrl, handedOut),
  };
}

/** The short code that a short URL ends in. */
export function codeIn(shortUrl: string): string {
  return URL.parse(shortUrl)?.pathname.split('/').pop() ?? '';
}

function seen(connection: Connection, outcome: AttemptResult, time: Time): Connection {
  return outcome.items.some(({ kind }) => kind === 'created')
    ? { ...connection, lastSeenWellAt: time.now }
    : connection;
}

/** What the outcome means for whatever is sent next. */
function after(state: QueueState, outcome: AttemptResult, time: Time, random: number): QueueState {
  const unclear = outcome.items.some(({ kind }) => kind === 'unclear' || kind === 'not_made');
  // A batch of which some was decided came from a service that is well: what it left open is the fault of its items.
  const inDoubt = unclear && !outcome.items.some(({ kind }) => kind === 'created' || kind === 'refused');
  const isNotUnderstood = inDoubt && outcome.items.some((item) => item.kind === 'unclear' && item.code === 'not_understood');
  const { isDoubtful, ...decided } = withHalt(state, outcome);
  const next: QueueState = {
    ...(inDoubt ? withHalt(state, outcome) : decided),
    // Whether that was the service's fault or the request's own, a probe tells.
    probeDue: state.probeDue || inDoubt,
    ...(isNotUnderstood && { isDoubtful: true as const }),
  };
  const limit = outcome.items.map(limitOf).find((found) => found !== null);
  if (limit) return paused(next, limit, time, random);
  return inDoubt ? next : { ...next, failures: 0, pause: null };
}

/** A halt that came while the attempt was on its way stays, except that a link shows that the key is taken. */
function withHalt(state: QueueState, { items }: AttemptResult): QueueState {
  const refusals = items.filter((item) => item.kind === 'refused');
  const halt = refusals.map(({ code }) => blockFor(code)).find((found) => found !== null);
  if (halt) return { ...state, halt };
  return items.some(({ kind }) => kind === 'created') ? unblock(state, 'key_accepted') : state;
}

const PAUSE_REASON = { throttled: 'throttle', quota_exceeded: 'quota', busy: 'busy' } as const;

interface ServiceLimit {
  reason: (typeof PAUSE_REASON)[keyof typeof PAUSE_REASON];
  retryAfterSeconds: number | null;
}

/** Returns the limit of a refusal for now. */
function limitOf(item: RequestResult): ServiceLimit | null {
  if (item.kind !== 'refused_for_now') return null;
  return { reason: PAUSE_REASON[item.code], retryAfterSeconds: item.retryAfterSeconds };
}

/** A wait of no time is none that a clock can keep, and each try costs budget: it is guessed as where none is named. */
function paused(state: QueueState, { reason, retryAfterSeconds }: ServiceLimit, time: Time, random: number) {
  const failures = state.failures + 1;
  const named = retryAfterSeconds !== null && retryAfterSeconds > 0;
  const guess = reason === 'quota' ? quotaBackoff : refusedBackoff;
  const until = time.now + (named ? retryAfterSeconds * 1000 : guess(failures, random));
  return { ...state, failures, pause: { until, reason, named } };
}
