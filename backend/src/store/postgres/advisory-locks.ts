import type { AppliedStep } from '../migrations/all-migrations.ts';
import { UNFINISHED_MOVE, unfinishedMove } from '../migrations/refuse-moved-database.ts';
import type { Ask } from './connection-pool.ts';

export type Run = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

export const unprepared =
  (ask: Ask): Run =>
  (text, ...values) =>
    ask({ name: '', text }, ...values);

/** Number that identifies an advisory lock. Services in other schemas of the same database have other locks. */
export const lockOf = (name: string) => `hashtext('terse ${name} ' || current_schema())`;

/** Prevents other processes from applying migrations or starting to serve requests until the transaction ends. */
export async function lockSteps(run: Run): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${lockOf('migrations')})`);
}

/**
 * Prevents other processes from creating indexes until the transaction ends, which can take hours. Returns false if
 * another process holds the lock.
 */
export async function tryLockIndexes(run: Run): Promise<boolean> {
  await run('SET LOCAL idle_in_transaction_session_timeout = 0');
  const [row] = await run<{ locked: boolean }>(`SELECT pg_try_advisory_xact_lock(${lockOf('indexes')}) AS locked`);
  return row?.locked === true;
}

/** Returns the migrations that were applied to the database. The table `migrations` must exist. */
export function readSteps(run: Run): Promise<AppliedStep[]> {
  return run('SELECT * FROM migrations WHERE id > 0');
}

/**
 * Checks that no data is still being moved to the database.
 *
 * @throws StoreError if a move is unfinished
 */
export async function refuseUnfinishedMove(run: Run): Promise<void> {
  const [found] = await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', UNFINISHED_MOVE);
  if (found?.at) throw unfinishedMove();
}
