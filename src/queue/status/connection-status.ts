import type { Connection, Queue } from '../types.ts';

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
  return lastResponseAt(connection) === null ? 'saved' : 'connected';
}

/** Returns the time of the server's last successful response, or null if there was none. */
export function lastResponseAt({ lastSeenWellAt, listRead }: Connection): number | null {
  return listRead ? Math.max(lastSeenWellAt ?? 0, listRead.at) : lastSeenWellAt;
}
