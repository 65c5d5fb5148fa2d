/** A process that serves a database. */
export interface ServingProcess {
  id: string;
  /** What its operator knows it by. */
  name: string;
  /** The newest step of the schema it knows. */
  newestStep: number;
  /** How long ago it was last heard of, in milliseconds. */
  heardOf: number;
}

/**
 * The processes that serve a database which many share, as far as they say so. One that cannot reach the database for as long
 * as `HEARD_OF_WITHIN` answers nothing that needs it, links at hand included.
 */
export interface ServingProcesses {
  /**
   * Enters a process before it serves.
   *
   * @throws StoreError where the database has become too new for it meanwhile
   */
  enter(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  /**
   * Says that it still serves.
   *
   * @throws StoreError where it was not heard of for so long that it counted as gone, and the database became too new for it
   */
  touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void>;
  leave(id: string): Promise<void>;
}

/** How often a process says that it serves, in milliseconds. */
export const HEARTBEAT = 15_000;

/**
 * Who has said nothing for so long serves no more, in milliseconds: links at hand are followed for a minute without a word
 * of the database.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, heardOf }: ServingProcess): string {
  return `${name}, heard of ${Math.round(heardOf / 1000)} seconds ago`;
}
