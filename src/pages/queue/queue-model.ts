import { isStuck, type ListedRequest } from '../../queue/status/request-status.ts';
import type { Queue, Request } from '../../queue/types.ts';

/** One row of a queue: a request, or several consecutive requests of the same list. */
export type Row =
  | { key: string; kind: 'request'; listed: ListedRequest }
  | { key: string; kind: 'list'; groupId: string; requests: ListedRequest[] };

/**
 * Returns the rows of a queue. Requests that need the user's action come first, then requests that were already sent
 * once, then the others in the order of sending.
 */
export function rowsOf(attempts: Queue['attempts'], requests: ListedRequest[]): Row[] {
  const attempted = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const isOpen = ({ id, state }: Request) => state !== 'waiting' || attempted.has(id);
  const [stuck, open, waiting]: [Row[], Row[], Row[]] = [[], [], []];
  for (const listed of requests) {
    const { id, groupId } = listed.request;
    const row: Row = { key: id, kind: 'request', listed };
    const last = waiting.at(-1);
    if (isStuck(listed.request)) stuck.push(row);
    else if (isOpen(listed.request)) open.push(row);
    else if (groupId === null) waiting.push(row);
    else if (last?.kind === 'list' && last.groupId === groupId) last.requests.push(listed);
    else waiting.push({ key: `list-${id}`, kind: 'list', groupId, requests: [listed] });
  }
  return [...stuck, ...open, ...waiting];
}

/** State of a queue, shown on the queue's card. */
export type CardState =
  | { kind: 'paused' | 'blocked' | 'empty' }
  /** All requests wait for the same reason as `first`. */
  | { kind: 'waiting'; first: ListedRequest; tone: 'is-warning' | '' }
  /** The queue sends its requests as fast as the rate limit and the quota allow. */
  | { kind: 'sending' };

/** Returns the state that the card of a queue shows. */
export function cardStateOf({ state }: Queue, requests: ListedRequest[]): CardState {
  if (state.paused === true) return { kind: 'paused' };
  if (state.blocked !== null) return { kind: 'blocked' };
  const moving = requests.filter(({ request }) => !isStuck(request));
  if (moving.length === 0) return { kind: 'empty' };
  const first = moving.find(({ status }) => 'reason' in status && !OWN_REASONS.includes(status.reason));
  if (!first) return { kind: 'sending' };
  const isOffline = 'reason' in first.status && first.status.reason === 'offline';
  return { kind: 'waiting', first, tone: isOffline ? '' : 'is-warning' };
}

/** Reasons for waiting that concern single requests or the limits, not the server. */
const OWN_REASONS: string[] = ['queued', 'throttle', 'quota', 'delayed'];
