import type { Found, ProbeReport, ProbeResult } from '../servers/adapter.ts';
import { needsCodes, needsLookUp } from '../servers/capabilities.ts';
import { applyReportedLimits, backoff, MAX_SENDS, retryDelay, withOwnLimits } from './limits.ts';
import { type AppliedResult, codeTaken, hasWorked, KEY_REFUSALS, linkOf, unblock } from './result.ts';
import { canLookUp, delayed, isPending, smallerBatch, withLookUp, withoutSuspicion } from './sending.ts';
import type { BlockReason, Connection, Queue, QueueState, Request } from './types.ts';

/**
 * Updates a queue after a health check of its server. If the server is unreachable, the whole queue is delayed. If
 * the server is healthy, only the failed attempt is delayed and the other requests go on.
 *
 * @param random number in [0, 1) that varies the delay
 */
export function applyProbe(queue: Queue, probe: ProbeResult, now: number, random: number): Queue {
  if (!probe) return unreachable(cleared(queue), now, random);
  // The failed requests are kept in mind, because they show that the next page or redirect is the gateway's, too.
  if (isGateway(probe, queue)) return unreachable(queue, now, random);
  const { connection, state } = queue;
  const isKeyRefused = probe.key === 'refused' || probe.key === 'forbidden';
  // While a request is being sent, the server may not have counted it yet.
  const isSending = queue.requests.some((request) => request.state === 'sending');
  const limits = isSending ? queue.limits : applyReportedLimits(queue.limits, probe.limits, now);
  const probed: Connection = {
    ...connection,
    ...(probe.kind && !connection.isKindChosen && { kind: probe.kind }),
    service: probe.service ?? connection.service,
    serviceReadAt: now,
    lastSeenWellAt: isWell(probe) ? now : connection.lastSeenWellAt,
  };
  const wasUnreachable = state.wait?.reason === 'unreachable';
  const judged = isKeyRefused || wasUnreachable ? cleared(queue) : atFault(queue, now, random);
  return {
    ...judged,
    connection: probed,
    limits: withOwnLimits(limits, probed),
    state: { ...isBack(judged.state, now), blocked: blockAfter(state, probe) },
  };
}

/**
 * True if a gateway, such as a login page or a proxy, answered the health check instead of the server. An HTML page
 * is attributed to a gateway if the service document is known, or if the last POST also returned an HTML page. A
 * redirect is attributed to a gateway if the server worked before.
 */
function isGateway({ service, key, redirected, isPage }: ProbeReport, queue: Queue): boolean {
  if (service !== null || key !== 'unknown') return false;
  const { connection, requests } = queue;
  const suspects = requests.filter(({ isSuspect }) => isSuspect);
  const isKnown = connection.service !== null;
  if (redirected) return isKnown || (hasWorked(connection) && suspects.length > 0);
  return isPage === true && (isKnown || suspects.some(({ problem }) => problem?.code === 'not_understood'));
}

function blockAfter(state: QueueState, { key }: ProbeReport): BlockReason | null {
  if (key === 'refused') return 'unauthorized';
  if (key === 'forbidden') return 'forbidden';
  return key === 'accepted' ? unblock(state, ...KEY_REFUSALS).blocked : state.blocked;
}

/** Clears the suspicion of failed requests, because the server or the API key caused the failures. */
function cleared(queue: Queue): Queue {
  const { connection } = queue;
  return changeSuspects(queue, (request, count) => {
    // A request that never reached the server is sent as if it were new.
    if (!request.mayExist) return { ...request, attempts: 0 };
    return count === 1 && canLookUp(request, connection) ? withLookUp(request, connection) : request;
  });
}

/**
 * Delays a request that failed although the server is healthy, and excludes it from batches. The requests of a batch
 * are sent again at once in smaller batches, to find the request that causes the failure.
 */
function atFault(queue: Queue, now: number, random: number): Queue {
  return changeSuspects(queue, (request, count) => {
    const smaller = { ...request, maxBatch: smallerBatch(count) };
    return count > 1 ? smaller : delayed(smaller, queue.connection, true, now, random);
  });
}

/**
 * Clears the suspicion of requests, and changes those that will be sent again.
 *
 * @param change receives the number of suspects
 */
function changeSuspects(queue: Queue, change: (request: Request, count: number) => Request): Queue {
  const count = queue.requests.filter(({ isSuspect }) => isSuspect).length;
  const requests = queue.requests.map((request) => {
    if (!request.isSuspect) return request;
    const cleared = withoutSuspicion(request);
    return isPending(cleared) ? change(cleared, count) : cleared;
  });
  return { ...queue, requests };
}

/** True if the server itself responded: it returned its service document or accepted the API key. */
function isWell({ service, key, redirected }: ProbeReport): boolean {
  return key !== 'refused' && key !== 'forbidden' && !redirected && (service !== null || key === 'accepted');
}

function unreachable(queue: Queue, now: number, random: number): Queue {
  const { state } = queue;
  const failures = state.failures + 1;
  const until = now + backoff(failures, random);
  // A delay that the server requested and that ends later is kept.
  const isLonger = state.wait?.named && state.wait.until >= until;
  const wait = isLonger ? state.wait : { until, reason: 'unreachable' as const, named: false };
  return { ...queue, state: { ...state, failures, wait } };
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

/**
 * Updates a queue after the extension has looked up the short code of a request. If the link exists, it is returned. If
 * it does not exist, the request is sent again.
 */
export function applyLookUp(queue: Queue, id: string, found: Found, now: number, random: number): AppliedResult {
  const request = queue.requests.find((one) => one.id === id);
  if (!request || !isPending(request)) return { queue, links: [] };
  if (found.state === 'found') {
    const requests = queue.requests.filter((one) => one !== request);
    const state = { ...queue.state, failures: 0 };
    return { queue: { ...queue, requests, state }, links: [linkOf(request, found.shortUrl, now, 0)] };
  }
  const looked = afterLookUp(request, found, queue.connection, now, random);
  return { queue: { ...queue, requests: queue.requests.map((one) => (one === request ? looked : one)) }, links: [] };
}

function afterLookUp(request: Request, { state }: Found, connection: Connection, now: number, random: number): Request {
  if (state === 'taken' && needsCodes(connection)) return codeTaken(request);
  if (state !== 'unknown' || !needsLookUp(connection))
    return { ...request, lookUpDue: false, retryAt: now + retryDelay(request.attempts, random) };
  // Kutt with MySQL and thousands of links, for example, never gives a clear answer.
  const attempts = request.attempts + 1;
  if (attempts >= MAX_SENDS) return { ...request, state: 'uncertain' };
  return { ...request, attempts, retryAt: now + backoff(attempts, random) };
}
