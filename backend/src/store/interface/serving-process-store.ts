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
   * @throws StoreError if the process is too old for the current schema of the database
   */
  enter(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  /**
   * Records a heartbeat of a server process. If the process is no longer on the list, it is added again.
   *
   * @throws StoreError if the process is too old for the current schema of the database
   */
  touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  leave(id: string): Promise<void>;
}

export const HEARTBEAT = 15_000;

/**
 * Time in milliseconds after which a process without heartbeats counts as stopped. A process that has lost its
 * database connection serves links from its cache for at most a minute.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, sinceHeartbeat }: ServingProcess): string {
  return `${name}, last heartbeat ${Math.round(sinceHeartbeat / 1000)} seconds ago`;
}
