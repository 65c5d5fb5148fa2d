import { type ProbeReport, type ProbeResult, supportsBatches } from '../../services/service-adapter.ts';
import { unblock } from '../block-reasons.ts';
import { applyReportedLimits, dateLater, notAhead, notEarlier, trustLocalClock } from '../limits/reported-limits.ts';
import { nextStep } from '../next-step.ts';
import { attemptBackoff, gatewayBackoff, refusedBackoff, unreachableBackoff } from '../retry-backoff.ts';
import { hasItemKeys, splitAttempt } from '../start-attempt.ts';
import type { Attempt, BlockReason, Delay, Queue, QueueState, Time } from '../types.ts';
import { hasWorked, wasNotDelivered } from './gateway-responses.ts';

/**
 * Age of a response in milliseconds from which it comes from a cache. Smaller differences are due to clocks and slow
 * networks.
 */
const CACHED_MS = 30_000;

/** Number of failures in a row after which the whole queue is delayed. One failure may be due to its own request. */
const FAILURES_BEFORE_PAUSE = 2;

/**
 * Applies the result of a probe. If the service is unreachable, the whole queue is delayed. If it is healthy, only the
 * attempt that failed before the probe is delayed, and the others continue. `random` is in [0, 1).
 */
export function applyProbe(queue: Queue, probe: ProbeResult, time: Time, random: number): Queue {
  if (!probe || isGateway(probe, queue)) return unreachable(queue, time, random);
  const probed = withProbe(queue, probe, time, random);
  // If the probe brought no news, the next step would be the same probe again.
  const isVain = probe.redirected && nextStep(probed, time, { online: true, reachedAt: time.now }).kind === 'probe';
  return isVain ? unreachable(queue, time, random) : probed;
}

function withProbe(queue: Queue, probe: ProbeReport, time: Time, random: number): Queue {
  const { budget, connection, state } = queue;
  // A cache may have answered a probe, even one with a key. So a probe never moves the service's time back.
  const date = probe.date === null ? null : notEarlier(probe.date, budget, time);
  const dated = dateLater(budget, time);
  const timed = date === null && !probe.redirected ? trustLocalClock(budget, time) : budget;
  const isKeyRefused = probe.key === 'refused' || probe.key === 'forbidden';
  const { isDoubtful: _, ...known } = state;
  // A gateway that refuses some requests says nothing about the service, so the other requests are not delayed.
  const suspects = queue.attempts.filter(({ suspect }) => suspect);
  const isGatewayAtFault = suspects.length > 0 && suspects.every(wasNotDelivered);
  const next = state.probeDue && !isGatewayAtFault && !isKeyRefused ? attemptFailed(known, time, random) : known;
  // The counts of a cached response belong to a time that has passed.
  const isCached = probe.date !== null && date !== null && date - probe.date > CACHED_MS;
  const limits = isCached ? { throttle: null, quota: null } : probe.limits;
  const reconciled = applyReportedLimits(timed, { date, limits }, time, dated);
  // A request in flight may arrive after the probe, so its own response dates it.
  const isSending = queue.attempts.some(({ inFlight }) => inFlight);
  const probed: Queue = {
    connection: {
      ...connection,
      service: probe.service ?? connection.service,
      serviceReadAt: time.now,
      lastSeenWellAt: isWell(probe) ? time.now : connection.lastSeenWellAt,
    },
    budget: isSending ? { ...reconciled, sends: budget.sends } : reconciled,
    state: {
      ...isBack(next, time),
      probeDue: false,
      halt: haltAfter(next, probe),
    },
    attempts: queue.attempts.flatMap((attempt) => {
      const right = { ...attempt, firstSend: notAhead(attempt.firstSend, date) };
      return attempt.suspect && !isKeyRefused ? atFault(right, queue, time) : [right];
    }),
    requests: queue.requests.map((request) => {
      const sends = dated(request.sends, isSending ? null : date);
      return sends === request.sends ? request : { ...request, sends };
    }),
  };
  return isKeyRefused ? withoutSuspects(probed) : probed;
}

/**
 * True if a gateway answered instead of the service. A page is a gateway's if the service document is known, or if the
 * last POST got a page too. A redirect is a gateway's if the service has worked before.
 */
function isGateway({ service, key, redirected, isPage }: ProbeReport, { connection, state, attempts }: Queue): boolean {
  if (service !== null || key !== 'unknown') return false;
  const isKnown = connection.service !== null;
  if (redirected) return isKnown || (hasWorked(connection) && attempts.some(({ suspect }) => suspect));
  return isPage === true && (isKnown || state.isDoubtful === true);
}

/** Returns the block reason after a probe. A refused key blocks the queue, and an accepted one unblocks it. */
function haltAfter(state: QueueState, { key }: ProbeReport): BlockReason | null {
  if (key === 'refused') return 'unauthorized';
  if (key === 'forbidden') return 'forbidden';
  return key === 'accepted' ? unblock(state, 'key_accepted').halt : state.halt;
}

/** Clears the failure of the last attempt, because the service or the key caused it. */
function withoutSuspects(queue: Queue): Queue {
  return {
    ...queue,
    attempts: queue.attempts.flatMap((attempt) => {
      if (!attempt.suspect) return [attempt];
      // Its requests never reached the service, so they wait again without the attempt.
      return wasNotDelivered(attempt) ? [] : [{ ...attempt, suspect: false }];
    }),
  };
}

/** True if the service itself responded: it sent its document or accepted the key. */
function isWell({ service, key, redirected }: ProbeReport): boolean {
  return key !== 'refused' && key !== 'forbidden' && !redirected && (service !== null || key === 'accepted');
}

function unreachable(queue: Queue, time: Time, random: number): Queue {
  const { state } = queue;
  const failures = state.failures + 1;
  const until = time.now + unreachableBackoff(failures, random);
  return withoutSuspects({
    ...queue,
    state: {
      ...state,
      failures,
      probeDue: false,
      pause: longer(state.pause, { until, reason: 'unreachable', named: false }),
    },
  });
}

/**
 * Delays an attempt that failed although the service is healthy. A batch is split to find the request that causes the
 * failure.
 */
function atFault(attempt: Attempt, { connection, requests }: Queue, time: Time): Attempt[] {
  const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
  const divisible = members.length > 1 && supportsBatches(connection) && hasItemKeys(attempt);
  if (divisible) return splitAttempt(attempt, members, connection);
  const { parks } = attempt;
  const ms = wasNotDelivered(attempt) ? gatewayBackoff(parks) : attemptBackoff(parks);
  return [{ ...attempt, suspect: false, parks: parks + 1, parkedUntil: time.now + ms }];
}

function attemptFailed(state: QueueState, time: Time, random: number): QueueState {
  const failures = state.failures + 1;
  if (failures < FAILURES_BEFORE_PAUSE) return { ...state, failures };
  const until = time.now + refusedBackoff(failures - FAILURES_BEFORE_PAUSE + 1, random);
  return { ...state, failures, pause: longer(state.pause, { until, reason: 'busy', named: false }) };
}

/** Returns the longer delay. A delay that the service asked for is not replaced by a shorter guess. */
function longer(current: Delay | null, guess: Delay): Delay {
  return current?.named && current.until >= guess.until ? current : guess;
}

/**
 * Ends a delay after a successful probe. After an outage the failures are reset. After a busy service they are reset
 * only by a successful send.
 */
function isBack(state: QueueState, time: Time): QueueState {
  const { pause } = state;
  if (pause?.reason === 'unreachable' || pause?.reason === 'unprotected') return { ...state, pause: null, failures: 0 };
  return pause?.reason === 'busy' && pause.until <= time.now ? { ...state, pause: null } : state;
}
