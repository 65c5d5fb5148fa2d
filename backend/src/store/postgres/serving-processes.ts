import { missingMigrations, newestStep } from '../migrations/all-migrations.ts';
import { lockSteps, type Run, readSteps, refuseUnfinishedMove, unprepared } from './advisory-locks.ts';
import type { Database } from './connection-pool.ts';

export interface ServingProcess {
  id: string;
  name: string;
  /** Id of the newest migration that the running version of Terse includes. */
  newestStep: number;
  sinceHeartbeat: number;
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

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Time after which a crashed process is removed from the list of processes, in milliseconds. */
const REMOVED_AFTER_MS = 86_400_000;

export type ServingProcesses = ReturnType<typeof servingProcesses>;

/**
 * List of the server processes that share a database. A process that cannot reach the database must stop serving
 * links from its cache within `HEARTBEAT_TIMEOUT`.
 */
export function servingProcesses(database: Database) {
  const write = database.prepare(
    `INSERT INTO serving_processes (id, name, newest_step, seen_at) VALUES ($1, $2, ${newestStep()}, ${NOW_MS})
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
  );
  const refresh = database.prepare(
    `UPDATE serving_processes SET seen_at = ${NOW_MS} WHERE id = $1 AND seen_at > ${NOW_MS} - ${HEARTBEAT_TIMEOUT} RETURNING id`,
  );
  const forget = database.prepare(`DELETE FROM serving_processes WHERE seen_at < ${NOW_MS} - ${REMOVED_AFTER_MS}`);
  const remove = database.prepare('DELETE FROM serving_processes WHERE id = $1');

  const enter = ({ id, name }: Pick<ServingProcess, 'id' | 'name'>) =>
    database.transaction(async (ask): Promise<void> => {
      // The lock prevents other processes from applying migrations while this process is added to the list of server
      // processes.
      await lockSteps(unprepared(ask));
      missingMigrations(await readSteps(unprepared(ask)));
      await refuseUnfinishedMove(unprepared(ask));
      await ask(forget);
      await ask(write, id, name);
    });

  return {
    /**
     * Adds a server process to the list. A process must be on the list before it handles requests.
     *
     * @throws StoreError if this version of Terse is too old for the database schema
     */
    enter,
    /**
     * Records a heartbeat of a server process. If the process is no longer on the list, it is added again.
     *
     * @throws StoreError if this version of Terse is too old for the database schema
     */
    async touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void> {
      if ((await database.write(refresh, process.id)).length === 0) await enter(process);
    },
    async leave(id: string): Promise<void> {
      await database.write(remove, id);
    },
  };
}

/**
 * Returns the running server processes whose version does not include the migration `before`. Returns all running
 * processes if `before` is omitted.
 */
export function liveProcesses(run: Run, before = Number.MAX_SAFE_INTEGER): Promise<ServingProcess[]> {
  return run<ServingProcess>(
    `SELECT id, name, newest_step AS "newestStep", greatest(${NOW_MS} - seen_at, 0) AS "sinceHeartbeat" FROM serving_processes
     WHERE newest_step < $1 AND seen_at > ${NOW_MS} - ${HEARTBEAT_TIMEOUT} ORDER BY seen_at DESC`,
    before,
  );
}
