import { shortBaseUrlOf, supportsBatches } from '../../services/connection-capabilities.ts';
import type { ProbeReport, ProbeResult } from '../../services/service-adapter.ts';
import { unblock } from '../block-reasons.ts';
import { withOwnLimits } from '../limits/own-limits.ts';
import { applyReportedLimits, dateLater, notAhead, notEarlier, trustLocalClock } from '../limits/reported-limits.ts';
import { nextStep } from '../next-step.ts';
import { attemptBackoff, gatewayBackoff, unreachableBackoff } from '../retry-backoff.ts';
import { hasItemKeys, splitAttempt } from '../start-attempt.ts';
import type { Attempt, BlockReason, Connection, Delay, Queue, QueueState, ServiceInfo, Time } from '../types.ts';
import { hasWorked, wasNotDelivered } from './gateway-responses.ts';

/**
 * Age in milliseconds above which a response is considered cached. A smaller age can result from inexact clocks and
 * slow networks.
 */
const CACHED_MS = 30_000;

/**
 * Updates a queue after a health check of its server. If the server is unreachable, the whole queue is delayed. If
 * the server is healthy, only the failed attempt is delayed and the other requests go on.
 *
 * @param random number in [0, 1) that varies the delay
 */
export function applyProbe(queue: Queue, probe: ProbeResult, time: Time, random: number): Queue {
  if (!probe || isGateway(probe, queue)) return unreachable(queue, time, random);
  const probed = withProbe(queue, probe, time);
  // After a redirected health check, the next step may be another health check. In this case, the server counts as
  // unreachable, which delays the next check.
  const isVain = probe.redirected && nextStep(probed, time, { online: true, reachedAt: time.now }).kind === 'probe';
  return isVain ? unreachable(queue, time, random) : probed;
}

function withProbe(queue: Queue, probe: ProbeReport, time: Time): Queue {
  const { budget, connection, state } = queue;
  // The response to a health check may come from an HTTP cache, so an earlier date in the response is ignored.
  const date = probe.date === null ? null : notEarlier(probe.date, budget, time);
  const dated = dateLater(budget, time);
  const timed = date === null && !probe.redirected ? trustLocalClock(budget, time) : budget;
  const isKeyRefused = probe.key === 'refused' || probe.key === 'forbidden';
  const { isDoubtful: _, ...known } = state;
  const isCached = probe.date !== null && date !== null && date - probe.date > CACHED_MS;
  const limits = isCached ? { throttle: null, quota: null } : probe.limits;
  const reconciled = applyReportedLimits(timed, { date, limits }, time, dated);
  // While a request is being sent, a health check must not correct send times. The request may reach the server after
  // the health check.
  const isSending = queue.attempts.some(({ inFlight }) => inFlight);
  const probed: Queue = {
    connection: {
      ...connection,
      ...(probe.kind && !connection.isKindChosen && { kind: probe.kind }),
      service: serviceAfter(connection, probe),
      serviceReadAt: time.now,
      lastSeenWellAt: isWell(probe) ? time.now : connection.lastSeenWellAt,
    },
    budget: isSending ? { ...reconciled, sends: budget.sends } : reconciled,
    state: {
      ...isBack(known, time),
      probeDue: false,
      halt: haltAfter(known, probe),
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
  const limited = { ...probed, budget: withOwnLimits(probed.budget, probed.connection) };
  return isKeyRefused ? withoutSuspects(limited) : limited;
}

/**
 * Returns the latest known service document. If the document contains no base URL for short links, the previously
 * known base URL is kept.
 */
function serviceAfter({ service }: Connection, probe: ProbeReport): ServiceInfo | null {
  if (!probe.service || !service) return probe.service ?? service;
  const { shortBaseUrl, domains } = probe.service;
  return {
    ...probe.service,
    shortBaseUrl: shortBaseUrl || service.shortBaseUrl,
    ...(domains && {
      domains: domains.map(({ name, shortBaseUrl }) => ({
        name,
        shortBaseUrl: shortBaseUrl || shortBaseUrlOf(service, name),
      })),
    }),
  };
}

/**
 * True if a gateway, such as a login page or a proxy, answered the health check instead of the server. An HTML page
 * is attributed to a gateway if the service document is known, or if the last POST also returned an HTML page. A
 * redirect is attributed to a gateway if the server worked before.
 */
function isGateway({ service, key, redirected, isPage }: ProbeReport, { connection, state, attempts }: Queue): boolean {
  if (service !== null || key !== 'unknown') return false;
  const isKnown = connection.service !== null;
  if (redirected) return isKnown || (hasWorked(connection) && attempts.some(({ suspect }) => suspect));
  return isPage === true && (isKnown || state.isDoubtful === true);
}

function haltAfter(state: QueueState, { key }: ProbeReport): BlockReason | null {
  if (key === 'refused') return 'unauthorized';
  if (key === 'forbidden') return 'forbidden';
  return key === 'accepted' ? unblock(state, 'key_accepted').halt : state.halt;
}

/** Clears the `suspect` mark of failed attempts, because the server or the API key caused the failures. */
function withoutSuspects(queue: Queue): Queue {
  return {
    ...queue,
    attempts: queue.attempts.flatMap((attempt) => {
      if (!attempt.suspect) return [attempt];
      // An attempt that never reached the server is deleted, and its requests wait to be sent again.
      return wasNotDelivered(attempt) ? [] : [{ ...attempt, suspect: false }];
    }),
  };
}

/** True if the server itself responded: it returned its service document or accepted the API key. */
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
 * Delays an attempt that failed although the server is healthy. If the attempt is a batch that can be split, splits
 * the batch instead, to find the request that causes the failure.
 */
function atFault(attempt: Attempt, { connection, requests }: Queue, time: Time): Attempt[] {
  const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
  const divisible = members.length > 1 && supportsBatches(connection) && hasItemKeys(attempt);
  if (divisible) return splitAttempt(attempt, members, connection);
  const { parks } = attempt;
  const ms = wasNotDelivered(attempt) ? gatewayBackoff(parks) : attemptBackoff(parks);
  return [{ ...attempt, suspect: false, parks: parks + 1, parkedUntil: time.now + ms }];
}

/** Returns the guessed delay, unless the server requested a delay that ends later. */
function longer(current: Delay | null, guess: Delay): Delay {
  return current?.named && current.until >= guess.until ? current : guess;
}

/**
 * Ends the queue's delay, because a health check succeeded. If the server was unreachable, the failure count is
 * reset. If the server was busy, only a successful POST resets the count.
 */
function isBack(state: QueueState, time: Time): QueueState {
  const { pause } = state;
  if (pause?.reason === 'unreachable') return { ...state, pause: null, failures: 0 };
  return pause?.reason === 'busy' && pause.until <= time.now ? { ...state, pause: null } : state;
}
