import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open-store.ts';
import { openSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** Maximum wait for another connection's lock on a file, in milliseconds. By default, SQLite does not wait. */
export const LOCK_PATIENCE = 20_000;

/** SQLite with a real file in a temporary folder. */
export const sqlite: Engine = {
  name: 'SQLite',
  create: async () => databaseAt(newPath()),
  async createMigrated() {
    migrated ??= await migratedFile();
    const path = newPath();
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, migrated, { mode: 0o600 });
    return databaseAt(path);
  },
};

/** Content of a migrated file, which tests copy because a copy is faster than the migrations. */
let migrated: Buffer | null = null;

async function migratedFile(): Promise<Buffer> {
  const path = newPath();
  const { open, drop } = databaseAt(path);
  await (await open()).close();
  const content = readFileSync(path);
  await drop();
  return content;
}

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'terse-store-')), 'data', 'terse.db');
}

function databaseAt(path: string): TestDatabase {
  return {
    address: `file:${path}`,
    open: (now = NOON, clock = () => now, foldsCase) => openStore({ engine: 'sqlite', path }, now, clock, foldsCase),
    connect: () => openSqliteDatabase(path, NOON, () => NOON, false),
    async execute(sql) {
      const database = new DatabaseSync(path, { timeout: LOCK_PATIENCE });
      database.exec(sql);
      database.close();
    },
    drop: async () => rmSync(dirname(dirname(path)), { recursive: true }),
  };
}
