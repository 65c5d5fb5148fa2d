import { kindOf } from '../servers/capabilities.ts';
import { newLimits, withOwnLimits } from './limits.ts';
import { unblock } from './result.ts';
import type { Connection, LinkOptions, Problem, Queue, QueueState, Request } from './types.ts';
import { endGuessedDelay, notSent } from './user-actions.ts';

export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  wait: null,
  failures: 0,
  suspects: [],
  blocked: null,
};

export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, limits: withOwnLimits(newLimits(), connection), requests: [] };
}

export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };

/**
 * Resumes a blocked queue after the user has saved the connection without changing its address or API key. Also ends
 * all delays except those that the server requested.
 */
export function connectionSaved(queue: Queue, connection: Connection): Queue {
  const limits = withOwnLimits(queue.limits, connection);
  return endGuessedDelay({ ...queue, connection, limits, state: unblock(queue.state, 'connection_saved') });
}

/**
 * Resets a queue after the user has changed the API key or the server address. Requests whose links may exist become
 * uncertain, because they cannot be repeated with a new key. Waiting requests are sent with the new key.
 */
export function reconnected(queue: Queue, connection: Connection): Queue {
  const { lastEndedAt, paused } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  const isOtherServer = isElsewhere || kindOf(connection) !== kindOf(queue.connection);
  // A queue with a new server address is no longer blocked. The next step checks whether the extension has permission
  // to access this address.
  const blocked = isElsewhere ? null : queue.state.blocked;
  const state = unblock({ ...EMPTY_STATE, lastEndedAt, blocked, ...(paused && { paused }) }, 'connection_saved');
  const next = isElsewhere ? withoutService(connection) : connection;
  const requests = queue.requests.map((request) => forNewServer(request, isOtherServer));
  return { connection: next, state, limits: withOwnLimits(newLimits(), next), requests };
}

/**
 * Removes the stored server features from a connection whose address or kind has changed. The new server may lack these
 * features, and relying on them could create duplicate links.
 */
export function withoutService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

const INTERRUPTED: Problem = { code: 'interrupted', message: '' };

/** Prepares a request for a new API key, or for a new server. */
function forNewServer(request: Request, isOtherServer: boolean): Request {
  const { generatedCode: _, ...withoutCode } = request;
  const { sent: __, ...notSentHere } = request;
  if (request.state === 'failed') return request;
  const isInterrupted = request.state === 'sending';
  // The code of a request whose link may exist does not change, because the user may have copied the short URL.
  if (!isInterrupted && !request.mayExist && request.state !== 'uncertain')
    return notSent(isOtherServer ? withoutCode : request);
  const problem = isInterrupted || !request.problem ? INTERRUPTED : request.problem;
  return { ...(isOtherServer ? notSentHere : request), state: 'uncertain', problem };
}
