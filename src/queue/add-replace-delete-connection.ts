import { unblock } from './block-reasons.ts';
import { endGuessedDelay, markUncertain, requeueFailed } from './cancel-retry-pause.ts';
import { newLimits, withOwnLimits } from './limits.ts';
import { withoutCode } from './short-code-generator.ts';
import type { Connection, LinkOptions, Queue, QueueState, Request } from './types.ts';

export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  wait: null,
  failures: 0,
  probeDue: false,
  blocked: null,
};

export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, limits: withOwnLimits(newLimits(), connection), attempts: [], requests: [] };
}

export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };

/**
 * Resumes a blocked queue after the user has saved the connection without changing its address or API key. Also ends
 * all delays except those that the server requested.
 */
export function connectionSaved(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const limits = withOwnLimits(queue.limits, connection);
  const saved = { ...queue, connection, limits, state: unblock(queue.state, 'connection_saved') };
  return endGuessedDelay(requeueFailed(saved, newKey));
}

/**
 * Resets a queue after the user has changed the API key or the server address. Requests that were being sent become
 * uncertain, because they cannot be repeated with a new key. Waiting requests are sent with the new key.
 */
export function reconnected(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const { lastEndedAt, paused } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  // A queue with a new server address is no longer blocked. The next step checks whether the extension has permission
  // to access this address.
  const blocked = isElsewhere ? null : queue.state.blocked;
  const ended = markUncertain(queue);
  const state = unblock({ ...EMPTY_STATE, lastEndedAt, blocked, ...(paused && { paused }) }, 'connection_saved');
  const moved = isElsewhere
    ? { connection: withoutService(connection), requests: ended.requests.map(forNewServer) }
    : { connection, requests: ended.requests };
  return requeueFailed({ ...ended, ...moved, limits: withOwnLimits(newLimits(), moved.connection), state }, newKey);
}

/**
 * Removes the stored server features from a connection whose address or kind has changed. The new server may lack these
 * features, and relying on them could create duplicate links.
 */
export function withoutService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

/** Prepares a request for the new server after the user has changed the server address. */
function forNewServer(request: Request): Request {
  // A request that was sent before keeps its short code, because its link may already exist.
  const wasTurnedAway = request.state === 'waiting' && request.attempts > 0;
  const { domain: _, ...withoutDomain } = request;
  const mayExist = request.state === 'uncertain' || request.alone || wasTurnedAway;
  const moved = mayExist ? request : withoutCode(withoutDomain);
  const alone = (request.alone || wasTurnedAway) && moved.generatedCode !== undefined;
  return { ...moved, attempts: 0, sends: [], alone };
}
