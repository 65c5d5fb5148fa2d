import { selectBatch } from '../batch-requests.ts';
import { nextUnitAt, recordSend, remaining } from '../limits/daily-quota.ts';
import { pendingSteps } from '../next-step.ts';
import type { Queue, Request, Time } from '../types.ts';

/** A send to come, and when, by the local clock. */
export interface EstimatedSend {
  at: number;
  requestIds: string[];
}

/** Requests that go out without a wait for the budget between them. */
export interface Burst {
  at: number;
  count: number;
}

/** Sends that lie further apart wait for the budget, not for the pace. */
const BURST_GAP_MS = 10 * 60_000;

/**
 * The sends that everything in a queue takes, if all goes well from now on: by the same rules that decide each send, so that
 * what is said of the budget is what becomes of it. What only the person can move on is left out, and so is what would
 * never be sent, since the service allows nothing. On hold, halted or offline, it says what would come of going on now.
 */
export function estimateSends(queue: Queue, time: Time): EstimatedSend[] {
  const { state, budget: now } = queue;
  const sends: EstimatedSend[] = [];
  let budget = now;
  const pacedUntil = state.lastEndedAt === null ? 0 : state.lastEndedAt + budget.gapMs;
  let next = Math.max(time.now, state.pause?.until ?? 0, pacedUntil);
  for (const { requests, dueAt } of posts(queue, time)) {
    const planned = { ...time, now: Math.max(next, dueAt) };
    const at = remaining(budget, planned) > 0 ? planned.now : nextUnitAt(budget, planned);
    if (at === null) break;
    sends.push({ at, requestIds: requests.map(({ id }) => id) });
    budget = recordSend(budget, { ...time, now: at });
    next = at + budget.gapMs;
  }
  return sends;
}

/** When so many of these requests (all of them, where none are named) are expected to go out. */
export function burstsOf(sends: EstimatedSend[], ids: ReadonlySet<string> | null = null): Burst[] {
  const bursts: (Burst & { last: number })[] = [];
  for (const { at, requestIds } of sends) {
    const count = ids ? requestIds.filter((id) => ids.has(id)).length : requestIds.length;
    const burst = bursts.at(-1);
    if (count === 0) continue;
    if (burst && at - burst.last <= BURST_GAP_MS) Object.assign(burst, { count: burst.count + count, last: at });
    else bursts.push({ at, count, last: at });
  }
  return bursts.map(({ at, count }) => ({ at, count }));
}

interface Post {
  requests: Request[];
  dueAt: number;
}

/** What goes out together, in its order. What is held back by itself goes behind whatever is not. */
function posts(queue: Queue, time: Time): Post[] {
  const work = pendingSteps(queue, time).filter(({ attempt }) => !attempt?.inFlight);
  const resends = work.filter(({ attempt }) => attempt !== null);
  const held = work.filter(({ attempt, dueAt }) => attempt === null && dueAt > time.now);
  let left = work.filter((one) => one.attempt === null && !held.includes(one)).flatMap(({ requests }) => requests);
  const sends: Post[] = [];
  while (left.length > 0) {
    const requests = selectBatch(left, queue.connection);
    sends.push({ requests, dueAt: 0 });
    const sent = new Set(requests);
    // Without batches the first goes alone, again and again: that need not look at all the others.
    left = requests.length === 1 && left[0] === requests[0] ? left.slice(1) : left.filter((one) => !sent.has(one));
  }
  const due = resends.filter(({ dueAt }) => dueAt <= time.now);
  const later = [...resends.filter((one) => !due.includes(one)), ...held];
  return [...due, ...sends, ...later.sort((one, other) => one.dueAt - other.dueAt)];
}
