import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open-store.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** Maximum wait for another connection's lock on a file, in milliseconds. By default, SQLite does not wait. */
export const LOCK_PATIENCE = 20_000;

/** SQLite with a real file in a temporary folder. */
export const sqlite: Engine = {
  name: 'SQLite',
  create,
  // Opening a SQLite file migrates it. That is fast, so no prepared schema is needed.
  createMigrated: create,
};

async function create(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'terse-store-'));
  const path = join(folder, 'data', 'terse.db');
  return {
    address: `file:${path}`,
    open: (now = NOON, clock = () => now, foldsCase) => openStore({ engine: 'sqlite', path }, now, clock, foldsCase),
    async execute(sql) {
      const database = new DatabaseSync(path, { timeout: LOCK_PATIENCE });
      database.exec(sql);
      database.close();
    },
    drop: async () => rmSync(folder, { recursive: true }),
  };
}
