import { isLoopback } from '@terse/contract/addresses';
import { capabilitiesOf, isIdempotent } from '../servers/capabilities.ts';
import { nextUnitAt, remaining } from './limits.ts';
import { canLookUp, isPending, isRepeatable, newLinkOf } from './sending.ts';
import type { BlockReason, Connection, DelayReason, Queue, QueueState, Request } from './types.ts';

export type Step =
  | { kind: 'idle' }
  | { kind: 'blocked'; reason: BlockReason }
  | { kind: 'paused' }
  /** `until` is null if the end of the wait is unknown, for example while the browser is offline. */
  | { kind: 'wait'; reason: DelayReason | 'offline' | 'delayed'; until: number | null }
  /** Block the queue, because the extension has no permission to access the server. */
  | { kind: 'block' }
  /** Unblock the queue, because the extension has permission to access the server again. */
  | { kind: 'unblock' }
  /** Check the server's health and limits with GET requests, which cost no quota. */
  | { kind: 'probe' }
  /** Let the user decide what happens to requests, because another send could create duplicate links. */
  | { kind: 'mark_uncertain'; requestIds: string[] }
  /** Look up the short code of a request, to find out whether the server created the link. This costs no quota. */
  | { kind: 'look_up'; requestId: string }
  | { kind: 'send'; requestIds: string[] };

/** State of the browser and of the background script. This state is not stored in the queue. */
export interface Surroundings {
  online: boolean;
  /**
   * True if the extension has permission to access the server. Absent on extension pages, because they never send
   * queued requests.
   */
  isPermitted?: boolean;
}

/**
 * Maximum age of an idempotency key that is sent again. Servers keep keys for 30 days. The limit is one day shorter,
 * because clocks can differ.
 */
const KEY_LIFETIME_MS = 29 * 24 * 3_600_000;

/** Interval between reads of the service document, which describes the server's features. */
const SERVICE_READ_EVERY_MS = 24 * 3_600_000;

/** Time for which a server without idempotency keys counts as reachable after a response. */
const REACHED_FOR_MS = 5_000;

/** Decides on the next action of a queue. Has no side effects. */
export function nextStep(queue: Queue, now: number, around: Surroundings): Step {
  // The permission is checked even if the queue has nothing to send, because the extension may miss the browser event
  // for a new permission.
  if (queue.state.blocked === 'permission' && around.isPermitted) return { kind: 'unblock' };
  const step = plannedStep(queue, now, around);
  if (!usesNetwork(step)) return step;
  return around.isPermitted === false ? { kind: 'block' } : step;
}

/** Returns the next action, assuming that the extension has permission to access the server. */
function plannedStep(queue: Queue, now: number, around: Surroundings): Step {
  const { connection, limits, requests } = queue;
  if (requests.some((request) => request.state === 'sending')) return { kind: 'idle' };
  const pending = pendingRequests(requests);
  if (pending.length === 0) return { kind: 'idle' };
  const lost = pending.filter((request) => !isStillRepeatable(request, connection, now));
  if (lost.length > 0) return { kind: 'mark_uncertain', requestIds: idsOf(lost) };
  const obstacle = queueObstacle(queue, now, around);
  if (obstacle) return obstacle;
  if (isSuspected(queue) || probesAfterDelay(queue.state)) return { kind: 'probe' };
  const due = pending.filter((request) => isDue(request, now));
  const unknown = due.find((request) => isLookedUp(request, connection));
  if (unknown) return { kind: 'look_up', requestId: unknown.id };
  if (due.length === 0) return { kind: 'wait', reason: 'delayed', until: Math.min(...pending.map(retryTime)) };
  if (remaining(limits, now) <= 0) return { kind: 'wait', reason: 'quota', until: nextUnitAt(limits, now) };
  if (isStale(connection, now) || probesFirst(connection, now)) return { kind: 'probe' };
  return { kind: 'send', requestIds: idsOf(selectBatch(due, connection)) };
}

function idsOf(requests: Request[]): string[] {
  return requests.map(({ id }) => id);
}

function retryTime({ retryAt }: Request): number {
  return retryAt ?? 0;
}

function usesNetwork({ kind }: Step): boolean {
  return kind === 'probe' || kind === 'look_up' || kind === 'send';
}

function isLookedUp(request: Request, connection: Connection): boolean {
  return request.lookUpDue && canLookUp(request, connection);
}

/** True if a request can be sent, or first looked up, without creating a second link. */
function isStillRepeatable(request: Request, connection: Connection, now: number): boolean {
  if (!request.mayExist || isLookedUp(request, connection)) return true;
  if (!isRepeatable(request, connection)) return false;
  // Without idempotency keys, the server recognizes a repeated request by its short code, which does not expire.
  if (capabilitiesOf(connection).safeRetry !== 'idempotency_key') return true;
  return now - (request.sent?.firstAt ?? now) < KEY_LIFETIME_MS;
}

/** True if the server runs on this computer and needs no network. */
function isLocalService({ baseUrl }: Pick<Connection, 'baseUrl'>): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

type Obstacle = Extract<Step, { kind: 'paused' | 'blocked' | 'wait' }>;

/**
 * Returns the reason why a queue cannot send anything now, other than its quota. Does not look at its requests. Returns
 * null if there is no such reason.
 */
function queueObstacle(queue: Queue, now: number, around: Surroundings): Obstacle | null {
  const { connection, limits } = queue;
  const { paused, blocked, wait, lastEndedAt } = queue.state;
  if (paused) return { kind: 'paused' };
  if (blocked) return { kind: 'blocked', reason: blocked };
  if (!around.online && !isLocalService(connection)) return { kind: 'wait', reason: 'offline', until: null };
  if (wait && wait.until > now) return { kind: 'wait', reason: wait.reason, until: wait.until };
  // The minimum gap between sends does not apply to health checks.
  const throttledUntil = lastEndedAt === null || isSuspected(queue) ? 0 : lastEndedAt + limits.gapMs;
  return throttledUntil > now ? { kind: 'wait', reason: 'throttle', until: throttledUntil } : null;
}

/** True if a failed send may show that the server is down. */
function isSuspected({ requests }: Queue): boolean {
  return requests.some(({ isSuspect }) => isSuspect);
}

/**
 * True if the server's health must be checked after a delay, because the server was unreachable or busy. A health
 * check costs no quota.
 */
function probesAfterDelay({ wait }: QueueState): boolean {
  return wait?.reason === 'unreachable' || wait?.reason === 'busy';
}

/** True if the service document must be read again, because a server update may have changed the server's features. */
function isStale({ serviceReadAt }: Connection, now: number): boolean {
  return serviceReadAt === null || now - serviceReadAt > SERVICE_READ_EVERY_MS;
}

/**
 * True if the extension must send a health check before the next POST. If the server is down, the request then waits,
 * and the user need not decide whether the link may exist.
 */
function probesFirst(connection: Connection, now: number): boolean {
  if (isIdempotent(connection)) return false;
  const { lastSeenWellAt, serviceReadAt } = connection;
  return now - Math.max(lastSeenWellAt ?? 0, serviceReadAt ?? 0) > REACHED_FOR_MS;
}

/**
 * Maximum total size of the items in a batch, in bytes. With this limit, the body stays below the 64 KiB that every
 * server must accept.
 */
const BATCH_BYTES = 48 * 1024;

const UTF8 = new TextEncoder();

/**
 * Value in milliseconds that is added to the sort key of bulk lists. The value is so large that all single requests
 * come first.
 */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/** Compares two requests by the order in which the user submitted them. Single requests come before bulk lists. */
export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one, one.createdAt) - positionOf(other, other.createdAt);
}

/**
 * Returns the requests that will be sent, in sending order. A delayed request comes after the requests that were
 * submitted before its delay ends, so that it cannot hold them up.
 */
export function pendingRequests(requests: Request[]): Request[] {
  const order = (request: Request) => positionOf(request, request.retryAt ?? request.createdAt);
  return requests.filter(isPending).sort((one, other) => order(one) - order(other));
}

function positionOf({ listId }: Request, time: number): number {
  return time + (listId === null ? 0 : LISTS_BEHIND_MS);
}

/** True if the request is not delayed. */
export function isDue({ retryAt }: Request, now: number): boolean {
  return retryAt === null || retryAt <= now;
}

/**
 * Returns the due requests that can be sent in one batch. If the server does not support batches, returns only the
 * first request.
 */
export function selectBatch(due: Request[], connection: Connection): Request[] {
  const [first] = due;
  if (!first) return [];
  if (!mayShare(first)) return [first];
  const limit = Math.min(capabilitiesOf(connection).batchSize, first.maxBatch);
  const batch: Request[] = [];
  let bytesLeft = BATCH_BYTES;
  for (const request of due) {
    if (!mayShare(request) || request.maxBatch !== first.maxBatch) continue;
    bytesLeft -= UTF8.encode(JSON.stringify(newLinkOf(request, connection))).byteLength + 1;
    if (batch.length === limit || (bytesLeft < 0 && batch.length > 0)) break;
    batch.push(request);
  }
  return batch;
}

/**
 * True if a request may be sent in a batch. The idempotency key of a request that was sent to `/api/shorten` is not
 * known in batches.
 */
function mayShare({ maxBatch, sent }: Request): boolean {
  return maxBatch > 1 && sent?.path !== '/api/shorten';
}
