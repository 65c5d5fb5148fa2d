import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { printDatabase } from '../store/existing-database.ts';
import {
  MOVE_UNDONE,
  MOVED_AWAY,
  MOVED_AWAY_TEXT,
  MOVED_AWAY_TRIGGER,
} from '../store/migrations/refuse-moved-database.ts';
import type { DatabaseAddress } from '../store/open-store.ts';
import { stepsIn } from '../store/sqlite/backup-copy.ts';
import { connect as connectSqlite } from '../store/sqlite/sqlite-store.ts';
import { StoreError } from '../store/store-errors.ts';
import { connect as connectPostgres, type Run, tableExists, transactionsOn } from './postgres-rows.ts';
import type { Table } from './tables-and-rows.ts';

/**
 * SQL for a trigger function that refuses all writes. The function uses the error code of a read-only server, so
 * processes that are still connected report that the database is unavailable.
 */
const REFUSE = `CREATE FUNCTION refuse_${MOVED_AWAY_TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction', MESSAGE = ${MOVED_AWAY_TEXT}; END $$`;

/** Marks a PostgreSQL database as moved to another database. Must be called inside a transaction. */
export async function markPostgresMovedAway(run: Run, tables: readonly Table[], now: number): Promise<void> {
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

/**
 * Makes a PostgreSQL database usable again after a move, and records that the move was undone. Must be called inside
 * a transaction.
 *
 * @returns false if the database was not marked as moved
 */
export async function unmarkPostgresMovedAway(run: Run): Promise<boolean> {
  const undo = "UPDATE migrations SET id = $1, name = 'move undone' WHERE id = $2 RETURNING id";
  const undone = await run(undo, MOVE_UNDONE, MOVED_AWAY);
  if (undone.length === 0) return false;
  // Deletes the function and, through `CASCADE`, the triggers that call it.
  await run(`DROP FUNCTION refuse_${MOVED_AWAY_TRIGGER}() CASCADE`);
  return true;
}

/** Marks a SQLite database as moved to another database. Must be called inside a transaction. */
export function markSqliteMovedAway(connection: DatabaseSync, tables: readonly Table[], now: number): void {
  connection.prepare('DELETE FROM migrations WHERE id = ?').run(MOVE_UNDONE);
  const note = "INSERT INTO migrations (id, name, applied_at) VALUES (?, 'moved away', ?)";
  connection.prepare(note).run(MOVED_AWAY, now);
  for (const { name } of tables) {
    for (const write of ['INSERT', 'UPDATE', 'DELETE']) {
      connection.exec(
        `CREATE TRIGGER ${MOVED_AWAY_TRIGGER}_${name}_${write} BEFORE ${write} ON ${name}
         BEGIN SELECT RAISE(ABORT, ${MOVED_AWAY_TEXT}); END`,
      );
    }
  }
}

/**
 * Makes a SQLite database usable again after a move, and records that the move was undone. Must be called inside a
 * transaction.
 *
 * @returns false if the database was not marked as moved
 */
export function unmarkSqliteMovedAway(connection: DatabaseSync): boolean {
  const undo = connection.prepare("UPDATE migrations SET id = ?, name = 'move undone' WHERE id = ?");
  const { changes } = undo.run(MOVE_UNDONE, MOVED_AWAY);
  if (changes === 0) return false;
  const all = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  const ours = all.map(({ name }) => String(name)).filter((name) => name.startsWith(`${MOVED_AWAY_TRIGGER}_`));
  for (const name of ours) connection.exec(`DROP TRIGGER ${name}`);
  return true;
}

/**
 * Makes a database usable again after it was moved to another database.
 *
 * @throws StoreError if the database does not exist or was not moved
 */
export async function undoMove(address: DatabaseAddress): Promise<void> {
  printDatabase(address);
  const wasMarked = address.engine === 'sqlite' ? unmarkFile(address.path) : await unmarkServer(address.url);
  if (!wasMarked) throw new StoreError('This database was not moved to another one. Nothing was changed.');
}

function unmarkFile(path: string): boolean {
  if (!existsSync(path)) throw new StoreError(`There is no database ${path}.`);
  if (stepsIn(path).length === 0) return false;
  const connection = connectSqlite(path);
  try {
    connection.exec('BEGIN IMMEDIATE');
    const wasMarked = unmarkSqliteMovedAway(connection);
    connection.exec('COMMIT');
    return wasMarked;
  } finally {
    connection.close();
  }
}

async function unmarkServer(url: string): Promise<boolean> {
  const { run, close } = await connectPostgres(url);
  try {
    if (!(await tableExists(run, 'migrations'))) return false;
    return await transactionsOn(run)(() => unmarkPostgresMovedAway(run));
  } finally {
    await close();
  }
}
