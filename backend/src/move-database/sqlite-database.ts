import type { SQLInputValue } from 'node:sqlite';
import { MOVED_AWAY_TEXT, MOVED_AWAY_TRIGGER } from '../store/migrations/all-migrations.ts';
import type { Statement } from '../store/sql/sql-runner.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { applySteps, connect } from '../store/sqlite/sqlite-store.ts';
import type { MoveDatabase, Row } from './tables-and-rows.ts';

/**
 * Opens a SQLite database, and locks its file against other server processes and moves. Creates the file if it is
 * missing.
 *
 * @throws StoreError if another process has locked the file
 */
export function openSqlite(path: string): MoveDatabase {
  const unclaim = claimDatabase(path);
  const connection = connect(path);
  // `secure_delete` overwrites deleted visitor hashes on the disk.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -64000');

  return {
    run: async <Found>({ sql, values }: Statement) =>
      connection.prepare(sql).all(...(values as SQLInputValue[])) as Found[],
    execute: async (statements) => connection.exec(statements),
    async tableNames() {
      const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      return tables.map(({ name }) => String(name));
    },
    createTables: async (now) => applySteps(connection, now),
    lock: async () => connection.exec('BEGIN IMMEDIATE'),
    async *rows({ name, columns, key }) {
      const names = columns.map((column) => column.name);
      const order = key.map((at) => names[at]);
      const all = connection.prepare(`SELECT ${names.join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`);
      all.setReturnArrays(true);
      for (const row of all.iterate()) yield row as unknown as Row;
    },
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => column.name).join(', ');
      const values = columns.map(() => '?').join(', ');
      const insert = connection.prepare(`INSERT INTO ${name} (${names}) VALUES (${values})`);
      for (const row of rows) insert.run(...(row as SQLInputValue[]));
    },
    storable: (_, row) => row,
    async lastNumber({ name }) {
      return Number(connection.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.seq ?? 0);
    },
    async setLastNumber({ name }, last) {
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
      connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last);
    },
    async refuseWrites(tables) {
      for (const name of tables) {
        for (const write of ['INSERT', 'UPDATE', 'DELETE']) {
          connection.exec(
            `CREATE TRIGGER ${MOVED_AWAY_TRIGGER}_${name}_${write} BEFORE ${write} ON ${name}
             BEGIN SELECT RAISE(ABORT, ${MOVED_AWAY_TEXT}); END`,
          );
        }
      }
    },
    async allowWrites() {
      const triggers = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
      const names = triggers.map(({ name }) => String(name));
      for (const name of names) if (name.startsWith(MOVED_AWAY_TRIGGER)) connection.exec(`DROP TRIGGER ${name}`);
    },
    async close() {
      connection.close();
      unclaim();
    },
  };
}
