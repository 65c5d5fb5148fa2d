import type { ProbeReport, ProbeResult } from '../../servers/adapter.ts';
import { shortBaseUrlOf, supportsBatches } from '../../servers/capabilities.ts';
import { unblock } from '../block-reasons.ts';
import { applyReportedLimits, withOwnLimits } from '../limits.ts';
import { backoff } from '../retry-backoff.ts';
import { splitAttempt } from '../start-attempt.ts';
import type { Attempt, BlockReason, Connection, Delay, Queue, QueueState, ServiceInfo } from '../types.ts';
import { hasWorked, wasNotDelivered } from './gateway-responses.ts';

/**
 * Updates a queue after a health check of its server. If the server is unreachable, the whole queue is delayed. If
 * the server is healthy, only the failed attempt is delayed and the other requests go on.
 *
 * @param random number in [0, 1) that varies the delay
 */
export function applyProbe(queue: Queue, probe: ProbeResult, now: number, random: number): Queue {
  if (!probe || isGateway(probe, queue)) return unreachable(queue, now, random);
  const { connection, state } = queue;
  const isKeyRefused = probe.key === 'refused' || probe.key === 'forbidden';
  const { isDoubtful: _, ...known } = state;
  // While a request is being sent, the server may not have counted it yet.
  const isSending = queue.attempts.some(({ inFlight }) => inFlight);
  const probed: Queue = {
    ...queue,
    connection: {
      ...connection,
      ...(probe.kind && !connection.isKindChosen && { kind: probe.kind }),
      service: serviceAfter(connection, probe),
      serviceReadAt: now,
      lastSeenWellAt: isWell(probe) ? now : connection.lastSeenWellAt,
    },
    limits: isSending ? queue.limits : applyReportedLimits(queue.limits, probe.limits, now),
    state: {
      ...isBack(known, now),
      probeDue: false,
      blocked: blockAfter(known, probe),
    },
    attempts: queue.attempts.flatMap((attempt) =>
      attempt.suspect && !isKeyRefused ? atFault(attempt, queue, now, random) : [attempt],
    ),
  };
  const limited = { ...probed, limits: withOwnLimits(probed.limits, probed.connection) };
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

function blockAfter(state: QueueState, { key }: ProbeReport): BlockReason | null {
  if (key === 'refused') return 'unauthorized';
  if (key === 'forbidden') return 'forbidden';
  return key === 'accepted' ? unblock(state, 'key_accepted').blocked : state.blocked;
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

function unreachable(queue: Queue, now: number, random: number): Queue {
  const { state } = queue;
  const failures = state.failures + 1;
  const until = now + backoff(failures, random);
  return withoutSuspects({
    ...queue,
    state: {
      ...state,
      failures,
      probeDue: false,
      wait: longer(state.wait, { until, reason: 'unreachable', named: false }),
    },
  });
}

/**
 * Delays an attempt that failed although the server is healthy. If the attempt is a batch that can be split, splits
 * the batch instead, to find the request that causes the failure.
 */
function atFault(attempt: Attempt, { connection, requests }: Queue, now: number, random: number): Attempt[] {
  const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
  const divisible = members.length > 1 && supportsBatches(connection);
  if (divisible) return splitAttempt(attempt, members, connection);
  const parks = attempt.parks + 1;
  return [{ ...attempt, suspect: false, parks, parkedUntil: now + backoff(parks, random) }];
}

/** Returns the guessed delay, unless the server requested a delay that ends later. */
function longer(current: Delay | null, guess: Delay): Delay {
  return current?.named && current.until >= guess.until ? current : guess;
}

/**
 * Ends the queue's delay, because a health check succeeded. If the server was unreachable, the failure count is
 * reset. If the server was busy, only a successful POST resets the count.
 */
function isBack(state: QueueState, now: number): QueueState {
  const { wait } = state;
  if (wait?.reason === 'unreachable') return { ...state, wait: null, failures: 0 };
  return wait?.reason === 'busy' && wait.until <= now ? { ...state, wait: null } : state;
}
