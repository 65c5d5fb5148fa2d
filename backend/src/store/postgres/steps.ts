import { type AppliedStep, FIRST_WITH_RANGE, newestOf } from '../migrations/index.ts';
import { UNFINISHED_MOVE, unfinishedMove } from '../unfinished-move.ts';
import type { Ask } from './database.ts';

/** Runs a statement that is not worth preparing. */
export type Run = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

export const plain =
  (ask: Ask): Run =>
  (text, ...values) =>
    ask({ name: '', text }, ...values);

/** Keeps everybody else from applying a step, and from beginning to serve, to the end of the transaction. */
export async function lockSteps(run: Run): Promise<void> {
  await run('SELECT id FROM migrations WHERE id = 0 FOR UPDATE');
}

/** The steps that a database has seen. */
export async function readSteps(run: Run): Promise<AppliedStep[]> {
  const steps = await run<AppliedStep>('SELECT id, NULL AS oldest FROM migrations WHERE id > 0');
  if (newestOf(steps) < FIRST_WITH_RANGE) return steps;
  return run('SELECT id, oldest FROM migrations LEFT JOIN migration_ranges USING (id) WHERE id > 0');
}

/** @throws StoreError where a move to the database is not finished */
export async function refuseUnfinishedMove(run: Run): Promise<void> {
  const [found] = await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', UNFINISHED_MOVE);
  if (found?.at) throw unfinishedMove();
}
