import { HEARTBEAT_TIMEOUT, type ServingProcess, type ServingProcesses } from '../interface/serving-process-store.ts';
import { missingMigrations, newestStep } from '../migrations/all-migrations.ts';
import { lockSteps, type Run, readSteps, refuseUnfinishedMove, unprepared } from './advisory-locks.ts';
import type { Database } from './connection-pool.ts';

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Time after which a crashed process is removed from the list of processes, in milliseconds. */
const REMOVED_AFTER_MS = 86_400_000;

export function servingProcesses(database: Database): ServingProcesses {
  const write = database.prepare(
    `INSERT INTO serving_processes (id, name, newest_step, seen_at) VALUES ($1, $2, ${newestStep()}, ${NOW_MS})
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
  );
  const refresh = database.prepare(
    `UPDATE serving_processes SET seen_at = ${NOW_MS} WHERE id = $1 AND seen_at > ${NOW_MS} - ${HEARTBEAT_TIMEOUT} RETURNING id`,
  );
  const forget = database.prepare(`DELETE FROM serving_processes WHERE seen_at < ${NOW_MS} - ${REMOVED_AFTER_MS}`);
  const remove = database.prepare('DELETE FROM serving_processes WHERE id = $1');

  const enter: ServingProcesses['enter'] = ({ id, name }) =>
    database.transaction(async (ask) => {
      // The lock prevents other processes from applying migrations while this process is added to the list of server
      // processes.
      await lockSteps(unprepared(ask));
      missingMigrations(await readSteps(unprepared(ask)));
      await refuseUnfinishedMove(unprepared(ask));
      await ask(forget);
      await ask(write, id, name);
    });

  return {
    enter,
    async touch(process) {
      if ((await database.write(refresh, process.id)).length === 0) await enter(process);
    },
    async leave(id) {
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
