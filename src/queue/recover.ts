import { FEATURE } from '@terse/contract/features';
import { has } from './next.ts';
import type { Request, Snapshot, Time } from './types.ts';

/** Services keep idempotency keys for 30 days (ours does); a day less leaves room for clocks that disagree. */
const KEY_KEPT_MS = 29 * 24 * 3_600_000;

/**
 * Takes over from a worker that may have died at any point: the first thing each life does, before it decides anything.
 * What was in flight is unknown, and counts as having ended now. A clock that was set back moves every stored instant
 * back with it, so that waits keep their length.
 */
export function recover(snapshot: Snapshot, time: Time): Snapshot {
  return orphansUnknown(clockSetBack(snapshot, time), time);
}

function clockSetBack(snapshot: Snapshot, time: Time): Snapshot {
  const { queue } = snapshot;
  const back = queue.lastSeen - time.now;
  const next = { ...queue, lastSeen: time.now };
  if (back <= 0) return { ...snapshot, queue: next };
  return {
    ...snapshot,
    queue: {
      ...next,
      attempt: queue.attempt && { ...queue.attempt, firstSentAt: queue.attempt.firstSentAt - back },
      lastEndedAt: queue.lastEndedAt === null ? null : queue.lastEndedAt - back,
      pause: queue.pause && { ...queue.pause, until: queue.pause.until - back },
    },
  };
}

function orphansUnknown(snapshot: Snapshot, time: Time): Snapshot {
  const { attempt } = snapshot.queue;
  const sending = snapshot.requests.some((request) => request.state === 'sending');
  const repeatable =
    attempt !== null &&
    attempt.connectionId === snapshot.connection?.id &&
    has(snapshot.connection, FEATURE.idempotency) &&
    time.now - attempt.firstSentAt < KEY_KEPT_MS;
  return {
    ...snapshot,
    requests: sending ? snapshot.requests.map(interrupted) : snapshot.requests,
    queue: {
      ...snapshot.queue,
      attempt: repeatable ? { ...attempt, inFlight: false } : null,
      lastEndedAt: attempt?.inFlight ? time.now : snapshot.queue.lastEndedAt,
    },
  };
}

function interrupted(request: Request): Request {
  if (request.state !== 'sending') return request;
  return { ...request, state: 'unknown', problem: { code: 'interrupted', message: '' } };
}
