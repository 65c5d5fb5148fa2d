import { FEATURE } from '@terse/contract/features';
import { backoff, refusedBackoff } from './backoff.ts';
import { reconcile } from './budget.ts';
import { haltBy } from './halt.ts';
import { has } from './next.ts';
import type { ItemOutcome, Outcome } from './outcome.ts';
import type { Attempt, Link, ProblemCode, QueueState, Request, Snapshot, Time } from './types.ts';

/** A snapshot and the links that came of reaching it: both are stored in one transaction. */
export interface Settled {
  snapshot: Snapshot;
  links: Link[];
}

/**
 * Ends the attempt in flight with what became of it. Each of its requests ends in a link, is failed, waits again or is
 * unknown; none vanishes. `chance` in [0, 1) spreads the back-off.
 */
export function settle(snapshot: Snapshot, outcome: Outcome, time: Time, chance: number): Settled {
  const { attempt } = snapshot.queue;
  if (!attempt) return { snapshot, links: [] };
  const current = snapshot.connection?.id === attempt.connectionId;
  const next = goesOn(attempt, outcome, snapshot);
  const outcomes = new Map(attempt.requestIds.map((id, index) => [id, itemAt(outcome, index)]));
  const links: Link[] = [];
  const requests = snapshot.requests.flatMap((request): Request[] => {
    const item = request.state === 'sending' ? outcomes.get(request.id) : undefined;
    if (!item) return [request];
    // Its earlier send is still without an end that tells, and so is the request: what it said of it goes on to hold.
    if (next && outcome.conclusive) return [{ ...request, state: 'unknown' }];
    if (item.kind !== 'created') return [ended(request, item, attempt)];
    links.push(linkOf(request, item.shortUrl, time));
    return [];
  });
  return {
    links,
    snapshot: {
      ...snapshot,
      requests,
      budget: current && snapshot.budget ? reconcile(snapshot.budget, outcome, time) : snapshot.budget,
      queue: {
        ...snapshot.queue,
        attempt: next,
        lastEndedAt: time.now,
        ...(current ? after(snapshot.queue, outcome, time, chance) : {}),
      },
    },
  };
}

/** How often an attempt is answered with nonsense before it is the person's: until then nothing else is sent. */
const MOST_MISREAD = 3;

/** The attempt, to be sent again; null where it was judged, cannot be sent again safely, or is never understood. */
function goesOn(attempt: Attempt, outcome: Outcome, snapshot: Snapshot): Attempt | null {
  if (!canRepeat(attempt, snapshot)) return null;
  if (outcome.conclusive)
    return judgesOnlyThisSend(attempt, outcome, snapshot) ? { ...attempt, inFlight: false } : null;
  if (!outcome.answered || !outcome.items.some(({ kind }) => kind === 'unclear'))
    return { ...attempt, inFlight: false };
  const misread = (attempt.misread ?? 0) + 1;
  return misread < MOST_MISREAD ? { ...attempt, inFlight: false, misread } : null;
}

/** A key refused by now says nothing of what came of an earlier send of the same, which no answer told of. */
function judgesOnlyThisSend({ requestIds }: Attempt, { items }: Outcome, { requests }: Snapshot): boolean {
  const unanswered = ({ attempts, problem }: Request) => attempts > 1 && !(problem && haltBy(problem.code));
  return (
    items.every((item) => item.kind === 'refused' && haltBy(item.code) !== null) &&
    requests.some((request) => requestIds.includes(request.id) && request.state === 'sending' && unanswered(request))
  );
}

/** Whether the service, asked again with the same key, answers the same instead of creating another link. */
function canRepeat(attempt: Attempt, { connection }: Snapshot): boolean {
  return connection?.id === attempt.connectionId && has(connection, FEATURE.idempotency);
}

function itemAt(outcome: Outcome, index: number): ItemOutcome {
  return outcome.items[index] ?? { kind: 'unclear', code: 'not_understood', message: '' };
}

function ended(request: Request, item: Exclude<ItemOutcome, { kind: 'created' }>, attempt: Attempt): Request {
  const problem = { code: item.code, message: item.message };
  if (item.kind === 'refused') return { ...request, problem, ...refused(request, item.code, attempt) };
  if (item.kind === 'unclear') return { ...request, state: 'unknown', problem };
  return { ...request, state: 'waiting', problem };
}

/**
 * What would be refused whatever its URL was waits for the person to mend the connection, as if never sent. The first of
 * a batch goes alone then: should the batch itself be what is refused, each try still ends one request. One that went
 * alone has failed, or it would be in the way for ever. What an earlier send may have made is the person's to decide.
 */
function refused({ id, attempts }: Request, code: ProblemCode, { requestIds }: Attempt): Partial<Request> {
  if (!haltBy(code) || requestIds.length === 1) return { state: 'failed' };
  if (attempts > 1) return { state: 'unknown' };
  return { state: 'waiting', attempts: id === requestIds[0] ? attempts : 0 };
}

function linkOf(request: Request, shortUrl: string, time: Time): Link {
  const { id, url, title } = request;
  return { id, url, title, shortUrl, createdAt: time.now, private: request.private };
}

/** What the outcome means for whatever is sent next. */
function after(queue: QueueState, outcome: Outcome, time: Time, chance: number): Partial<QueueState> {
  const failures = queue.failures + 1;
  if (!outcome.answered) {
    return { failures, pause: { until: time.now + backoff(failures, chance), reason: 'unreachable' } };
  }
  const refusals = outcome.items.filter((item) => item.kind === 'refused');
  const halt = refusals.map(({ code }) => haltBy(code)).find((found) => found !== null) ?? null;
  const refusal = outcome.items.find((item) => item.kind === 'refused_for_now');
  // A service that answers nonsense, or with its own errors, is left alone too: the next request would fare the same.
  if (!refusal && !outcome.items.some((item) => item.kind === 'unclear')) return { failures: 0, pause: null, halt };
  const askedFor = refusal?.retryAfterSeconds ? refusal.retryAfterSeconds * 1000 : null;
  const until = time.now + (askedFor ?? refusedBackoff(failures, chance));
  const reason = refusal ? PAUSE_REASON[refusal.code] : 'busy';
  return { failures, halt, pause: { until, reason, told: askedFor !== null } };
}

const PAUSE_REASON = { throttled: 'throttle', quota_exceeded: 'quota', busy: 'busy' } as const;
