import { FORGET_VISITORS, MOVE_UNDONE } from '../store/migrations/refuse-moved-database.ts';
import { describeProcess, HEARTBEAT_TIMEOUT, liveProcesses, readSteps } from '../store/postgres/serving-processes.ts';
import { StoreError } from '../store/store-errors.ts';
import { markPostgresMovedAway } from './mark-and-undo-move.ts';
import { connect, forStore, type Run, readable, tableExists } from './postgres-rows.ts';
import type { Source } from './source-and-target.ts';
import type { Table } from './tables-and-rows.ts';

/** Maximum time to wait for open transactions of other processes, in milliseconds. After this time, the move fails. */
const LOCK_TIMEOUT = 5000;

/**
 * Opens the PostgreSQL database from which the data is moved. Locks all tables against writes by other processes.
 *
 * @throws StoreError if a process is using the database
 */
export async function postgresSource(url: string, identity: string, tables: readonly Table[]): Promise<Source> {
  const { run, close } = await connect(url);
  try {
    await run('BEGIN');
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    await run(`LOCK TABLE ${[...tables.map(({ name }) => name), 'serving_processes'].join(', ')} IN SHARE MODE`);
    await refuseIfServed(run);
    return {
      ...readable(run, true),
      identity,
      isAt: async (other) => holdsLocksAt(other, await sessionOf(run)),
      wasUndone: async () => (await run('SELECT 1 FROM migrations WHERE id = $1', MOVE_UNDONE)).length > 0,
      async markMovedAway(all, now) {
        await run(FORGET_VISITORS);
        await markPostgresMovedAway(run, all, now);
        await run('COMMIT');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Identifies a database connection and its transaction, as in PostgreSQL's view `pg_locks`. */
interface Session {
  pid: number;
  transaction: string;
}

async function sessionOf(run: Run): Promise<Session> {
  const [session] = await run<Session>(
    `SELECT pid, virtualtransaction AS transaction FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'virtualxid'`,
  );
  if (!session) throw new Error('The current transaction is missing in the view pg_locks of PostgreSQL.');
  return session;
}

/** True if the address points to the database in which the given transaction has locked the tables. */
async function holdsLocksAt(url: string, { pid, transaction }: Session): Promise<boolean> {
  const { run, close } = await connect(url);
  const locks = `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database()
    WHERE relation = to_regclass('links') AND pid = $1 AND virtualtransaction = $2`;
  return run(locks, pid, transaction)
    .then((found) => found.length > 0)
    .finally(close);
}

/**
 * Checks that no server process is using the database.
 *
 * @throws StoreError if a process is using the database
 */
export async function refuseServed(url: string): Promise<void> {
  const { run, close } = await connect(url);
  await refuseIfServed(run).finally(close);
}

async function refuseIfServed(run: Run): Promise<void> {
  const [process] = await liveProcesses(forStore(run));
  if (!process) return;
  throw new StoreError(
    `The database to move is served by ${describeProcess(process)}. Stop every process that serves it. If it was killed, try again ${HEARTBEAT_TIMEOUT / 1000} seconds after its last heartbeat.`,
  );
}

/**
 * Returns the migrations that were applied to a database. The list is empty for a database that Terse has never used.
 */
export async function stepsAt(url: string) {
  const { run, close } = await connect(url);
  try {
    return (await tableExists(run, 'migrations')) ? await readSteps(forStore(run)) : [];
  } finally {
    await close();
  }
}
