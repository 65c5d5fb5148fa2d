import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { FORGET_VISITORS, MOVE_UNDONE, UNFINISHED_MOVE } from '../store/migrations/refuse-moved-database.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { applySteps } from '../store/sqlite/migrate.ts';
import { connect } from '../store/sqlite/sqlite-store.ts';
import { markSqliteMovedAway } from './mark-and-undo-move.ts';
import {
  AlreadyMoved,
  type Copy,
  concurrentMove,
  notEmpty,
  type Readable,
  readProgress,
  type Source,
  type Target,
  unfinishedOtherMove,
  writeProgress,
} from './source-and-target.ts';
import type { Row, Table } from './tables-and-rows.ts';

/** Opens the SQLite database from which the data is moved. The caller must have locked the database. */
export function sqliteSource(path: string, identity: string): Source {
  const connection = connect(path);
  // `secure_delete` overwrites deleted visitor hashes on the disk. The open transaction prevents other connections
  // from writing.
  connection.exec('PRAGMA secure_delete = ON; BEGIN IMMEDIATE');
  return {
    ...readable(connection),
    identity,
    isAt: async () => false,
    wasUndone: async () => connection.prepare('SELECT 1 FROM migrations WHERE id = ?').get(MOVE_UNDONE) !== undefined,
    async markMovedAway(tables, now) {
      connection.exec(FORGET_VISITORS);
      markSqliteMovedAway(connection, tables, now);
      connection.exec('COMMIT');
    },
    async close() {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      connection.close();
    },
  };
}

/**
 * Opens and locks the SQLite database to which data is copied.
 *
 * @throws StoreError if the database already contains tables. An interrupted copy from the same source can be
 * continued.
 */
export function sqliteTarget(path: string, source: string, tables: readonly Table[], now: number): Target {
  const unclaim = claimDatabase(path);
  const connection = connect(path);
  try {
    // With `synchronous = NORMAL`, commits do not wait for the disk. Only the last commit, in `finish`, waits.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000');
    begin(connection, source, tables, now);
  } catch (error) {
    connection.close();
    unclaim();
    throw error;
  }

  let storedProgress = progressText(connection);
  const advance = connection.prepare(`UPDATE ${UNFINISHED_MOVE} SET progress = ? WHERE progress IS ?`);

  return {
    progress: async () => readProgress(storedProgress),
    async append(table, rows, to) {
      const insert = connection.prepare(
        `INSERT INTO ${table.name} (${names(table)}) VALUES (${table.columns.map(() => '?').join(', ')})`,
      );
      const text = writeProgress(to);
      inTransaction(connection, () => {
        if (advance.run(text, storedProgress).changes !== 1) throw concurrentMove();
        for (const row of rows) insert.run(...(row as SQLInputValue[]));
      });
      storedProgress = text;
    },
    async finish(numbers) {
      connection.exec('PRAGMA synchronous = FULL');
      inTransaction(connection, () => {
        for (const [{ name }, last] of numbers) {
          connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
          connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last);
        }
        connection.exec(`DROP TABLE ${UNFINISHED_MOVE}`);
      });
    },
    ...copy(connection),
    async close() {
      connection.close();
      unclaim();
    },
  };
}

/** Opens a SQLite database to which the data has already been moved. */
export function sqliteCopy(path: string): Copy {
  return copy(connect(path));
}

function copy(connection: DatabaseSync): Copy {
  return {
    ...readable(connection),
    storable: (_, row) => row,
    async tidy() {
      // Skips ANALYZE if an earlier run has already completed it, because ANALYZE blocks writes.
      if (!tableExists(connection, 'sqlite_stat1')) connection.exec('ANALYZE');
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: async () => connection.close(),
  };
}

/** Creates empty tables. Changes nothing if copying has already started. */
function begin(connection: DatabaseSync, source: string, tables: readonly Table[], now: number): void {
  const others = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const hasStarted = others.some(({ name }) => name === UNFINISHED_MOVE);
  if (!hasStarted && others[0])
    throw isCopy(connection, source) ? new AlreadyMoved() : notEmpty(String(others[0].name));
  inTransaction(connection, () => {
    if (hasStarted) return;
    connection.exec(`CREATE TABLE ${UNFINISHED_MOVE} (source TEXT PRIMARY KEY, progress TEXT) STRICT`);
    connection.prepare(`INSERT INTO ${UNFINISHED_MOVE} (source) VALUES (?)`).run(source);
  });
  const [row] = connection.prepare(`SELECT source FROM ${UNFINISHED_MOVE}`).all();
  if (row?.source !== source) throw unfinishedOtherMove();
  applySteps(connection, now);
  inTransaction(connection, () => {
    if (progressText(connection) !== null) return;
    for (const { name } of tables.toReversed()) connection.exec(`DELETE FROM ${name}`);
  });
}

/** True if an earlier move has already copied the data from the same source to this database. */
function isCopy(connection: DatabaseSync, source: string): boolean {
  return tableExists(connection, 'identity') && connection.prepare('SELECT id FROM identity').get()?.id === source;
}

function tableExists(connection: DatabaseSync, table: string): boolean {
  return connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
}

function progressText(connection: DatabaseSync): string | null {
  return connection.prepare(`SELECT progress FROM ${UNFINISHED_MOVE}`).get()?.progress as string | null;
}

function readable(connection: DatabaseSync): Readable {
  return {
    count: async ({ name }) => Number(connection.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows),
    async *rows(table, after) {
      const key = table.key.map((at) => table.columns[at]?.name).join(', ');
      const from = after === null ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`;
      const all = connection.prepare(`SELECT ${names(table)} FROM ${table.name} ${from} ORDER BY ${key}`);
      all.setReturnArrays(true);
      for (const row of all.iterate(...((after ?? []) as SQLInputValue[]))) yield row as unknown as Row;
    },
    async lastNumber({ name }) {
      const row = connection.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name);
      return Number(row?.seq ?? 0);
    },
    isUnfinished: async () => tableExists(connection, UNFINISHED_MOVE),
  };
}

function inTransaction(connection: DatabaseSync, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    work();
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

function names({ columns }: Table): string {
  return columns.map(({ name }) => name).join(', ');
}
