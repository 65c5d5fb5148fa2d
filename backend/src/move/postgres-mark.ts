import { MOVE_UNDONE, MOVED_AWAY, MOVED_AWAY_TEXT, MOVED_AWAY_TRIGGER } from '../store/moved-away.ts';
import type { Run } from '../store/postgres/steps.ts';
import type { Table } from './schema.ts';

/** As a server that takes no writes, so that a program which goes on asking answers that its database is away. */
const REFUSE = `CREATE FUNCTION refuse_${MOVED_AWAY_TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction', MESSAGE = ${MOVED_AWAY_TEXT}; END $$`;

/** Marks a database as moved away, in a transaction. */
export async function markMovedAway(run: Run, tables: readonly Table[], now: number): Promise<void> {
  await run('DELETE FROM migrations WHERE id = $1', MOVE_UNDONE);
  await run("INSERT INTO migrations (id, name, applied_at) VALUES ($1, 'moved away', $2)", MOVED_AWAY, now);
  await run(REFUSE);
  const names = tables.map(({ name }) => name);
  const parts = await run<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ANY ($1::regclass[])',
    names,
  );
  for (const name of [...names, ...parts.map((part) => part.name)]) {
    await run(
      `CREATE TRIGGER ${MOVED_AWAY_TRIGGER} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${name}
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_${MOVED_AWAY_TRIGGER}()`,
    );
  }
}

/** Takes the mark away and notes that, in a transaction. @returns false where there was none */
export async function unmarkMovedAway(run: Run): Promise<boolean> {
  const undo = "UPDATE migrations SET id = $1, name = 'move undone' WHERE id = $2 RETURNING id";
  const undone = await run(undo, MOVE_UNDONE, MOVED_AWAY);
  if (undone.length === 0) return false;
  // With it go the triggers that call it.
  await run(`DROP FUNCTION refuse_${MOVED_AWAY_TRIGGER}() CASCADE`);
  return true;
}
