export interface ServingProcess {
  id: string;
  name: string;
  /** Id of the newest migration that the running version of Terse includes. */
  newestStep: number;
  sinceHeartbeat: number;
}

/**
 * List of the server processes that share a database. A process that cannot reach the database must stop serving
 * links from its cache within `HEARTBEAT_TIMEOUT`.
 */
export interface ServingProcesses {
  /**
   * Adds a server process to the list. A process must be on the list before it handles requests.
   *
   * @throws StoreError if this version of Terse is too old for the database schema
   */
  enter(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  /**
   * Records a heartbeat of a server process. If the process is no longer on the list, it is added again.
   *
   * @throws StoreError if this version of Terse is too old for the database schema
   */
  touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  leave(id: string): Promise<void>;
}

export const HEARTBEAT = 15_000;

/**
 * Time in milliseconds after which a process without heartbeats counts as stopped. The time is longer than a minute,
 * because a process that has lost its database connection still serves links from its cache for up to a minute.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, sinceHeartbeat }: ServingProcess): string {
  return `${name}, last heartbeat ${Math.round(sinceHeartbeat / 1000)} seconds ago`;
}
