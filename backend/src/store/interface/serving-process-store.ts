/** A process that serves a database. */
export interface ServingProcess {
  id: string;
  /** Name for the operator. */
  name: string;
  /** Newest migration that the process knows. */
  newestStep: number;
  /** Time since its last heartbeat, in milliseconds. */
  sinceHeartbeat: number;
}

/**
 * Registry of the processes that serve a shared database. A process that cannot reach the database for
 * `HEARTBEAT_TIMEOUT` stops answering from its link cache too.
 */
export interface ServingProcesses {
  /**
   * Registers a process before it serves.
   *
   * @throws StoreError if the database was migrated to a version that this process does not support
   */
  enter(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  /**
   * Sends a heartbeat.
   *
   * @throws StoreError if the earlier registration expired and the database was migrated to a version that this
   * process does not support
   */
  touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  leave(id: string): Promise<void>;
}

/** Interval between two heartbeats, in milliseconds. */
export const HEARTBEAT = 15_000;

/**
 * Time after which a process without heartbeats counts as stopped, in milliseconds. A process serves cached links for
 * at most a minute without the database, so it has stopped by then.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, sinceHeartbeat }: ServingProcess): string {
  return `${name}, last heartbeat ${Math.round(sinceHeartbeat / 1000)} seconds ago`;
}
