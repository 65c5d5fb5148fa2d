import { supportsBatches } from '../../services/service-adapter.ts';
import { unblock } from '../block-reasons.ts';
import {
  applyReportedLimits,
  dateLater,
  notAhead,
  notEarlier,
  type Reported,
  trustLocalClock,
} from '../limits/reported-limits.ts';
import { nextStep } from '../next-step.ts';
import { attemptBackoff, parkedAfterRefusal, refusedBackoff, unreachableBackoff } from '../retry-backoff.ts';
import { hasItemKeys, splitAttempt } from '../start-attempt.ts';
import type { Attempt, BlockReason, Delay, Queue, QueueState, ServiceInfo, Time } from '../types.ts';
import { hasWorked, wasNotDelivered } from './gateway-responses.ts';

/** What a probe of the service found; null where nobody answered. */
export type ProbeResult = Found | null;

interface Found extends Reported {
  service: ServiceInfo | null;
  /** `forbidden`: the key may not create links. */
  key: 'accepted' | 'refused' | 'forbidden' | 'unknown';
  /** Somebody is there, and points elsewhere: whoever that is, it is not the service seen well. */
  redirected?: boolean;
  /** True if a page with success answered every path of the probe, as a maintenance page does. */
  isPage?: boolean;
}

/** A response whose `Date` is older than this comes from a cache. Smaller differences are clocks and slow networks. */
const CACHED_MS = 30_000;

/** The queue pauses from the second failure in a row on. A single failure may be due to its own request. */
const FAILURES_BEFORE_PAUSE = 2;

/**
 * Takes in a probe: the service's time, limits and features, or one more failure to reach it. It also says whose fault the
 * last attempt's lack of an answer was. Where the service is away, it is the service's: the queue pauses. Where it is well,
 * it is the attempt's: that one is parked, and the queue goes on. `random` is in [0, 1).
 */
export function applyProbe(queue: Queue, probe: ProbeResult, time: Time, random: number): Queue {
  if (!probe || isGateway(probe, queue)) return unreachable(queue, time, random);
  const probed = withProbe(queue, probe, time, random);
  // Without the service's time, the next step would be the same probe again.
  const isVain = probe.redirected && nextStep(probed, time, { online: true, reachedAt: time.now }).kind === 'probe';
  return isVain ? unreachable(queue, time, random) : probed;
}

function withProbe(queue: Queue, probe: Found, time: Time, random: number): Queue {
  const { budget, connection, state } = queue;
  // A cache may have answered any probe, also one with a key. So a probe never moves the service's time back.
  const date = probe.date === null ? null : notEarlier(probe.date, budget, time);
  const dated = dateLater(budget, time);
  const timed = date === null && !probe.redirected ? trustLocalClock(budget, time) : budget;
  const isKeyRefused = probe.key === 'refused' || probe.key === 'forbidden';
  const { isDoubtful: _, ...known } = state;
  const next = state.probeDue && !isKeyRefused ? attemptFailed(known, time, random) : known;
  // The counts of an old answer belong to its time, which is over.
  const isOld = probe.date !== null && date !== null && date - probe.date > CACHED_MS;
  const limits = isOld ? { throttle: null, quota: null } : probe.limits;
  const reconciled = applyReportedLimits(timed, { date, limits }, time, dated);
  // What is on its way may arrive after the probe did: its own answer dates it.
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
 * True if something in front of the service answered the probe. A page is not the service if its document is known, or if a
 * request got an answer that was not understood. A redirect is not either, if the service has worked before.
 */
function isGateway({ service, key, redirected, isPage }: Found, { connection, state, attempts }: Queue): boolean {
  if (service !== null || key !== 'unknown') return false;
  const isKnown = connection.service !== null;
  if (redirected) return isKnown || (hasWorked(connection) && attempts.some(({ suspect }) => suspect));
  return isPage === true && (isKnown || state.isDoubtful === true);
}

/** The service's own check of the key blocks the queue, and ends that. */
function haltAfter(state: QueueState, { key }: Found): BlockReason | null {
  if (key === 'refused') return 'unauthorized';
  if (key === 'forbidden') return 'forbidden';
  return key === 'accepted' ? unblock(state, 'key_accepted').halt : state.halt;
}

/** The service or the key is the reason for what just failed, so it counts against no attempt. */
function withoutSuspects(queue: Queue): Queue {
  return {
    ...queue,
    attempts: queue.attempts.flatMap((attempt) => {
      if (!attempt.suspect) return [attempt];
      // Its requests never reached the service, so they wait as if they had not been sent.
      return wasNotDelivered(attempt) ? [] : [{ ...attempt, suspect: false }];
    }),
  };
}

/** Any web site answers something: a service is known by its document, or by its taking the key. */
function isWell({ service, key, redirected }: Found): boolean {
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

/** An attempt that failed by its own fault: a batch is taken apart, to find the request whose fault it is; that is parked. */
function atFault(attempt: Attempt, { connection, requests }: Queue, time: Time): Attempt[] {
  const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
  const divisible = members.length > 1 && supportsBatches(connection) && hasItemKeys(attempt);
  if (divisible) return splitAttempt(attempt, members, connection);
  const { parks } = attempt;
  const ms = wasNotDelivered(attempt) ? parkedAfterRefusal(parks) : attemptBackoff(parks);
  return [{ ...attempt, suspect: false, parks: parks + 1, parkedUntil: time.now + ms }];
}

function attemptFailed(state: QueueState, time: Time, random: number): QueueState {
  const failures = state.failures + 1;
  if (failures < FAILURES_BEFORE_PAUSE) return { ...state, failures };
  const until = time.now + refusedBackoff(failures - FAILURES_BEFORE_PAUSE + 1, random);
  return { ...state, failures, pause: longer(state.pause, { until, reason: 'busy', named: false }) };
}

/** What the service asked for itself goes on to hold. */
function longer(current: Delay | null, guess: Delay): Delay {
  return current?.named && current.until >= guess.until ? current : guess;
}

/**
 * Ends the pause that a probe was to end. One that was away is forgiven, and so is a browser that lets us close sockets
 * again; one that was busy is not before it takes a send.
 */
function isBack(state: QueueState, time: Time): QueueState {
  const { pause } = state;
  if (pause?.reason === 'unreachable' || pause?.reason === 'unprotected') return { ...state, pause: null, failures: 0 };
  return pause?.reason === 'busy' && pause.until <= time.now ? { ...state, pause: null } : state;
}
