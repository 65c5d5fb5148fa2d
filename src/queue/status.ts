import { capabilitiesOf } from '../servers/capabilities.ts';
import { nextUnitAt, remaining, SAFE_DAY_MS } from './limits.ts';
import { isDue, nextStep, pendingRequests, type Step, selectBatch } from './next-step.ts';
import { needsUser } from './sending.ts';
import type { BlockReason, Connection, Problem, Queue, Request, VisibleQueues } from './types.ts';

/** Reason why a request is waiting. The message key in `_locales` is `wait_<reason>`. */
export type WaitReason =
  | 'queued'
  | 'throttle'
  | 'quota'
  | 'offline'
  | 'unreachable'
  | 'busy'
  | 'delayed'
  | 'paused'
  | 'unauthorized'
  | 'forbidden'
  | 'key_missing'
  | 'not_a_service'
  | 'redirected'
  | 'permission';

export type RequestStatus =
  | { kind: 'sending' }
  | ({ kind: 'waiting' } & Wait)
  /** The server did not respond. The extension will send the request again automatically. */
  | ({ kind: 'unknown' } & Wait)
  /** The link may exist, so the user must decide whether to send the request again. */
  | { kind: 'uncertain' }
  | { kind: 'failed' };

interface Wait {
  reason: WaitReason;
  /** Time at which the wait ends, or null if this time is unknown. */
  at: number | null;
  /** True if the extension, not the server, chose the length of the wait. The user can end such a wait early. */
  guessed?: true;
}

/**
 * Returns the status of each request in a queue, by request id. The status is derived from `nextStep`, which the
 * background script also uses.
 */
export function requestStatuses(queue: Queue, now: number, online: boolean): Map<string, RequestStatus> {
  const step = nextStep(queue, now, { online });
  const due = pendingRequests(queue.requests).filter((request) => isDue(request, now));
  const isSending = queue.requests.some(({ state }) => state === 'sending');
  const next = new Set(isSending ? [] : selectBatch(due, queue.connection).map(({ id }) => id));
  const ownWait = step.kind !== 'blocked' && step.kind !== 'paused' && !(step.kind === 'wait' && step.until === null);
  return new Map(
    queue.requests.map((request) => {
      const { retryAt } = request;
      const own: Wait | null =
        ownWait && retryAt !== null && retryAt > now ? { reason: 'delayed', at: retryAt, guessed: true } : null;
      return [request.id, statusOf(request, own ?? waitOf(step, queue, next.has(request.id)))];
    }),
  );
}

/**
 * True if a request waits only for its turn, the rate limit, the quota or its own delay. Also true if the request
 * does not wait.
 */
export function isThrottled(status: RequestStatus): boolean {
  return !('reason' in status) || ['queued', 'throttle', 'quota', 'delayed'].includes(status.reason);
}

/**
 * True if a request is delayed because the server or a gateway reported an error for it. After a lost response, nothing
 * is known about the request, so this is false.
 */
export function isFaulty(status: RequestStatus, problem: Problem | null): boolean {
  if (!('reason' in status) || status.reason !== 'delayed') return false;
  return status.kind === 'waiting' || problem?.code === 'server_error';
}

/** Returns the number of unfinished requests and the number of requests that require user action. */
export function countRequests({ queues }: VisibleQueues): { all: number; needUser: number } {
  const requests = queues.flatMap((queue) => queue.requests);
  const stuck = queues.flatMap((queue) => queue.requests.filter(needsUser(queue)));
  return { all: requests.length, needUser: stuck.length };
}

export function quotaLeft({ limits }: Queue, now: number): QuotaLeft {
  return { left: remaining(limits, now), limit: limits.perDay, moreAt: nextUnitAt(limits, now) };
}

export interface QuotaLeft {
  left: number;
  limit: number;
  moreAt: number | null;
}

function statusOf(request: Request, wait: Wait): RequestStatus {
  if (request.state === 'waiting' || request.state === 'unknown') return { kind: request.state, ...wait };
  return { kind: request.state };
}

function waitOf(step: Step, { state }: Queue, next: boolean): Wait {
  if (step.kind === 'blocked') return { reason: step.reason, at: null };
  if (step.kind === 'paused') return { reason: 'paused', at: null };
  if (step.kind !== 'wait' || step.reason === 'delayed' || step.reason === 'throttle') {
    // Only the next requests wait for the rate limit. All others wait for their turn.
    if (!next) return { reason: 'queued', at: null };
    return { reason: 'throttle', at: step.kind === 'wait' && step.reason === 'throttle' ? step.until : null };
  }
  const { reason, until } = step;
  const guessed = state.wait !== null && state.wait.until === until && !state.wait.named;
  return { reason, at: until, ...(guessed ? { guessed } : {}) };
}

/**
 * Estimates when the last of these requests will be sent if nothing fails. Returns null if none of them will be sent
 * automatically. If the queue is paused or blocked, or if the browser is offline, the estimate assumes that sending
 * resumes now.
 */
export function lastSendAt(queue: Queue, ids: ReadonlySet<string>, now: number): number | null {
  const { connection, state, limits } = queue;
  const pending = pendingRequests(queue.requests);
  const index = pending.findLastIndex(({ id }) => ids.has(id));
  if (index < 0 || limits.perDay <= 0) return null;
  const sends = Math.ceil((index + 1) / capabilitiesOf(connection).batchSize);
  const firstAt = Math.max(now, state.wait?.until ?? 0, (state.lastEndedAt ?? 0) + limits.gapMs);
  const lastAt = Math.max(firstAt + (sends - 1) * limits.gapMs, pending[index]?.retryAt ?? 0);
  const missing = sends - remaining(limits, now);
  if (missing <= 0) return lastAt;
  const laterDays = Math.ceil(missing / limits.perDay) - 1;
  return Math.max(lastAt, (nextUnitAt(limits, now) ?? now + SAFE_DAY_MS) + laterDays * SAFE_DAY_MS);
}

export interface ListedRequest {
  request: Request;
  status: RequestStatus;
  connection: Connection;
}

/** Returns the requests of all queues with their status. Requests of the default connection come first. */
export function listRequests({ queues }: VisibleQueues, now: number, online: boolean): ListedRequest[] {
  return queues.flatMap((queue) => {
    const statuses = requestStatuses(queue, now, online);
    return queue.requests.map((request) => {
      const status = statuses.get(request.id) as RequestStatus;
      return { request, status, connection: queue.connection };
    });
  });
}

/** Status of a connection. The message key in `_locales` is `connection_<status>`. */
export type ConnectionStatus =
  | 'saved'
  | 'connected'
  | 'key_refused'
  | 'key_missing'
  | 'access_missing'
  | 'not_reachable'
  | 'not_a_service'
  | 'redirected';

const BY_BLOCK = {
  unauthorized: 'key_refused',
  forbidden: 'key_refused',
  key_missing: 'key_missing',
  permission: 'access_missing',
  not_a_service: 'not_a_service',
  redirected: 'redirected',
} as const;

/** Returns the status of a connection. `connected` means that the last communication with the server succeeded. */
export function connectionStatus({ connection, state }: Pick<Queue, 'connection' | 'state'>): ConnectionStatus {
  if (state.blocked) return BY_BLOCK[state.blocked];
  if (state.wait?.reason === 'unreachable') return 'not_reachable';
  return connection.lastSeenWellAt === null && !connection.listRead ? 'saved' : 'connected';
}

/** Action with which the user can continue a request or a queue. */
export type Remedy = 'allow' | 'replace_key' | 'open_options' | 'resume' | 'try_now' | 'retry' | 'send_again';

/** Remedies for each reason why a request waits or ended. The first remedy is the best one. */
const REMEDIES: Record<WaitReason | 'sending' | 'failed' | 'uncertain', readonly Remedy[]> = {
  sending: [],
  queued: [],
  throttle: [],
  quota: [],
  offline: [],
  paused: ['resume'],
  unreachable: ['try_now'],
  busy: ['try_now'],
  delayed: ['retry'],
  // The extension cannot detect that the server accepts the key again or that it works again, so the user can try.
  unauthorized: ['replace_key', 'try_now'],
  forbidden: ['replace_key', 'try_now'],
  not_a_service: ['open_options', 'try_now'],
  redirected: ['open_options', 'try_now'],
  key_missing: ['open_options'],
  permission: ['allow'],
  failed: ['retry'],
  uncertain: ['send_again'],
};

/** Returns the remedies for a request. Empty if the request only has to wait. */
export function remediesOf(status: RequestStatus): readonly Remedy[] {
  if (!('reason' in status)) return REMEDIES[status.kind];
  const isNamed = (status.reason === 'unreachable' || status.reason === 'busy') && !status.guessed;
  // The user cannot end a wait that the server requested.
  return isNamed ? [] : REMEDIES[status.reason];
}

/** Returns the remedies for a whole queue. Empty if nothing prevents sending. */
export function queueRemedies({ state }: Pick<Queue, 'state'>): readonly Remedy[] {
  if (state.paused) return REMEDIES.paused;
  if (state.blocked !== null) return REMEDIES[state.blocked];
  return state.wait && !state.wait.named ? REMEDIES[state.wait.reason] : [];
}

/** Returns the remedies for a blocked queue. */
export function blockRemedies(blocked: BlockReason): readonly Remedy[] {
  return REMEDIES[blocked];
}
