import { freshBudget } from './budget.ts';
import { endHalt } from './halt.ts';
import { heldByRequests } from './hold.ts';
import { EMPTY_STATE } from './initial.ts';
import { inLine } from './line.ts';
import { withoutCode } from './mint.ts';
import { endGuessedPause, failedByConnection, leaveToPerson, requeueFailed, undecided } from './requests.ts';
import type { Connection, Queue, Request } from './types.ts';

/** The same address and key were saved again: what waited for that goes on. What the service asked for stays. */
export function savedAgain(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const saved = { ...queue, connection, state: endHalt(queue.state, 'connection_saved') };
  return endGuessedPause(requeueFailed(saved, newKey));
}

/**
 * Another key, or another address: another budget, and nothing known of the service's state. What was sent without an
 * answer cannot be asked for with this key, so the person decides; what waits goes out under it.
 */
export function reconnected(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const { lastEndedAt, latestTime, onHold } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  // Access to another address is another question: whoever sends next asks it.
  const halt = isElsewhere ? null : queue.state.halt;
  const left = leaveToPerson(queue);
  const state = endHalt(
    { ...EMPTY_STATE, lastEndedAt, latestTime, halt, ...(onHold && { onHold }) },
    'connection_saved',
  );
  const moved = isElsewhere
    ? { connection: unknownService(connection), requests: movedRequests(left.requests, connection.id) }
    : { connection, requests: left.requests };
  return requeueFailed({ ...left, ...moved, budget: freshBudget(), state }, newKey);
}

/** What one service can do says nothing of another: relied on, it could make links twice. */
function unknownService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

/**
 * The requests of a queue whose connection is forgotten, as they come to another (null: to whichever is added next). What
 * may have been made at the old service is the person's to decide.
 */
export function movedRequests(requests: Request[], connectionId: string | null): Request[] {
  return requests.map((request) => {
    const isOpen = request.state === 'sending' || request.state === 'unanswered';
    const left = isOpen ? undecided(request) : request;
    // A code belongs to its service. What may have been made under one is asked for by the same bytes again, and alone,
    // however often it moves.
    const isTurnedAway = left.state === 'waiting' && left.attempts > 0;
    const moved = left.state === 'undecided' || left.alone || isTurnedAway ? left : withoutCode(left);
    const alone = (left.alone || isTurnedAway) && moved.minted !== undefined;
    return { ...moved, connectionId, attempts: 0, sends: [], alone };
  });
}

/**
 * Takes in requests of another queue, or of none. What the person had put on hold does not go out because it has moved: the
 * queue is on hold from when it waits there.
 */
export function adopt(queue: Queue, requests: Request[]): Queue {
  if (requests.length === 0) return queue;
  const moved = movedRequests(requests, queue.connection.id);
  return heldByRequests({ ...queue, requests: [...queue.requests, ...moved].sort(inLine) });
}

/**
 * The requests of a queue whose connection is about to be forgotten, as they leave it. Whatever has an open attempt may have been
 * made here; what waited on hold remembers it, and what a save lets wait again. What needs the person does so anywhere.
 */
export function leaving(queue: Queue): Request[] {
  const { requests, state } = leaveToPerson(queue);
  const isHeld = (request: Request) => state.onHold && (request.state === 'waiting' || failedByConnection(request));
  return requests.map((request) => (isHeld(request) ? { ...request, onHold: true } : request));
}
