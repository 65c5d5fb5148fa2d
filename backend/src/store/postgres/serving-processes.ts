import sql from 'sql-template-tag';
import { type AppliedStep, missingMigrations, newestStep } from '../migrations/all-migrations.ts';
import type { Database, Run } from '../sql/database.ts';
import { lockOf } from './connection-pool.ts';

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

const NOW_MS = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

const IS_LIVE = sql`(seen_at > ${NOW_MS} - ${HEARTBEAT_TIMEOUT})`;

export type ServingProcesses = ReturnType<typeof servingProcesses>;

/**
 * List of the server processes that share a database. A process that cannot reach the database must stop serving
 * links from its cache within `HEARTBEAT_TIMEOUT`.
 */
export function servingProcesses({ write, transaction }: Database) {
  const enter = ({ id, name }: Pick<ServingProcess, 'id' | 'name'>): Promise<void> =>
    transaction(async (run) => {
      await lockSteps(run);
      missingMigrations(await readSteps(run));
      await run(sql`DELETE FROM serving_processes WHERE NOT ${IS_LIVE}`);
      await run(sql`INSERT INTO serving_processes (id, name, newest_step, seen_at)
        VALUES (${id}, ${name}, ${newestStep()}, ${NOW_MS}) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`);
    });

  return {
    /**
     * Records a heartbeat of a server process. If the process is not on the list, it is added. It must be on the list
     * before it handles requests.
     *
     * @throws StoreError if this version of Terse is too old for the database schema
     */
    async touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void> {
      const touched = await write(
        sql`UPDATE serving_processes SET seen_at = ${NOW_MS} WHERE id = ${process.id} AND ${IS_LIVE} RETURNING id`,
      );
      if (touched.length === 0) await enter(process);
    },
    async leave(id: string): Promise<void> {
      await write(sql`DELETE FROM serving_processes WHERE id = ${id}`);
    },
  };
}

/**
 * Returns the running server processes whose version does not include the migration `before`. Returns all running
 * processes if `before` is omitted.
 */
export function liveProcesses(run: Run, before = Number.MAX_SAFE_INTEGER): Promise<ServingProcess[]> {
  return run<ServingProcess>(
    sql`SELECT id, name, newest_step AS "newestStep", greatest(${NOW_MS} - seen_at, 0) AS "sinceHeartbeat"
      FROM serving_processes WHERE newest_step < ${before} AND ${IS_LIVE} ORDER BY seen_at DESC`,
  );
}

/** Prevents other processes from applying migrations or starting to serve requests until the transaction ends. */
export async function lockSteps(run: Run): Promise<void> {
  await run(sql`SELECT pg_advisory_xact_lock(${lockOf('migrations')})`);
}

/** Returns the migrations that were applied to the database. The table `migrations` must exist. */
export function readSteps(run: Run): Promise<AppliedStep[]> {
  return run(sql`SELECT * FROM migrations`);
}
