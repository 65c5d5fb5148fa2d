import type { Connection, Queue } from '../types.ts';

/** How a connection is doing; each has its words in `_locales` under `connection_<status>`. */
export type ConnectionStatus =
  | 'saved'
  | 'connected'
  | 'key_refused'
  | 'key_missing'
  | 'access_missing'
  | 'not_reachable'
  | 'unprotected'
  | 'not_a_service'
  | 'redirected';

const BY_HALT = {
  unauthorized: 'key_refused',
  forbidden: 'key_refused',
  key_missing: 'key_missing',
  permission: 'access_missing',
  not_a_service: 'not_a_service',
  redirected: 'redirected',
} as const;

/** Says only what was seen: `connected` is a service that answered well, and nothing has gone wrong since. */
export function connectionStatus({ connection, state }: Pick<Queue, 'connection' | 'state'>): ConnectionStatus {
  if (state.halt) return BY_HALT[state.halt];
  if (state.pause?.reason === 'unreachable') return 'not_reachable';
  if (state.pause?.reason === 'unprotected') return 'unprotected';
  return lastResponseAt(connection) === null ? 'saved' : 'connected';
}

/** When its service last answered well: to a request, a probe, or a reading of its list. Null: never. */
export function lastResponseAt({ lastSeenWellAt, listRead }: Connection): number | null {
  return listRead ? Math.max(lastSeenWellAt ?? 0, listRead.at) : lastSeenWellAt;
}
