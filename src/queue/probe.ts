import { parkedFor, refusedBackoff, unreachableBackoff } from './backoff.ts';
import { dateSends, type Reported, reconcile, trustLocalClock } from './budget.ts';
import type { Attempt, Queue, QueueState, ServiceInfo, Time } from './types.ts';

/** What a probe of the service found; null where nobody answered. */
export type ProbeResult = (Reported & { service: ServiceInfo | null; key: 'accepted' | 'refused' | 'unknown' }) | null;

/** One attempt that fails tells of its own requests; from the second in a row on, the service gets its rest. */
const SUSPECTS_BEFORE_PAUSE = 2;

/**
 * Takes in a probe: the service's time, limits and features, or one more failure to reach it. It also says whose fault the
 * last attempt's lack of an answer was. Where the service is away, it is the service's: the queue pauses. Where it is well,
 * it is the attempt's: that one is parked, and the queue goes on. `random` is in [0, 1).
 */
export function applyProbe(queue: Queue, probe: ProbeResult, time: Time, random: number): Queue {
  if (!probe) return unreachable(queue, time, random);
  const { budget, connection, state } = queue;
  const dated = probe.date === null ? trustLocalClock(budget, time) : budget;
  const next = state.probeDue ? sawSuspect(state, time, random) : state;
  const wasAway = next.pause?.reason === 'unreachable';
  return {
    connection: {
      ...connection,
      service: probe.service ?? connection.service,
      serviceReadAt: time.now,
      lastSeenWellAt: probe.key === 'refused' ? connection.lastSeenWellAt : time.now,
    },
    budget: reconcile(dated, probe, time),
    state: {
      ...next,
      probeDue: false,
      ...(wasAway ? { pause: null, failures: 0 } : {}),
      halt: probe.key === 'refused' ? 'unauthorized' : next.halt,
    },
    attempts: queue.attempts.map((attempt) => (attempt.suspect ? parked(attempt, time) : attempt)),
    requests: queue.requests.map((request) => {
      const sends = dateSends(request.sends, probe.date);
      return sends === request.sends ? request : { ...request, sends };
    }),
  };
}

function unreachable(queue: Queue, time: Time, random: number): Queue {
  const failures = queue.state.failures + 1;
  const until = time.now + unreachableBackoff(failures, random);
  return {
    ...queue,
    state: { ...queue.state, failures, probeDue: false, pause: { until, reason: 'unreachable', named: false } },
    attempts: queue.attempts.map((attempt) => (attempt.suspect ? { ...attempt, suspect: false } : attempt)),
  };
}

function parked(attempt: Attempt, time: Time): Attempt {
  return {
    ...attempt,
    suspect: false,
    parks: attempt.parks + 1,
    parkedUntil: time.now + parkedFor(attempt.parks),
  };
}

function sawSuspect(state: QueueState, time: Time, random: number): QueueState {
  const suspects = state.suspects + 1;
  if (suspects < SUSPECTS_BEFORE_PAUSE) return { ...state, suspects };
  const until = time.now + refusedBackoff(suspects - SUSPECTS_BEFORE_PAUSE + 1, random);
  // What the service asked for itself goes on to hold.
  const pause =
    state.pause && state.pause.until >= until ? state.pause : { until, reason: 'busy' as const, named: false };
  return { ...state, suspects, pause };
}
