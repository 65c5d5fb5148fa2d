/** A running server process that uses the database. */
export interface ServingProcess {
  id: string;
  /** Name of the process in messages to the operator. */
  name: string;
  /** Newest migration that the version of the process includes. */
  newestStep: number;
  /** Time since the last heartbeat of the process, in milliseconds. */
  sinceHeartbeat: number;
}

/**
 * List of the server processes that share a database. A process without a database connection for `HEARTBEAT_TIMEOUT`
 * must also stop serving links from its cache.
 */
export interface ServingProcesses {
  /**
   * Adds a process to the list before it serves requests.
   *
   * @throws StoreError if the process is too old for the current schema of the database
   */
  enter(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  /**
   * Records a heartbeat. A process that is no longer on the list is added again.
   *
   * @throws StoreError if the process is too old for the current schema of the database
   */
  touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  leave(id: string): Promise<void>;
}

export const HEARTBEAT = 15_000;

/**
 * Time after which a process without heartbeats counts as stopped, in milliseconds. This is safe because without the
 * database, a process serves links from its cache for at most a minute.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, sinceHeartbeat }: ServingProcess): string {
  return `${name}, last heartbeat ${Math.round(sinceHeartbeat / 1000)} seconds ago`;
}
