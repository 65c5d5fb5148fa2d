import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open-store.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** How long a test waits for another one's lock on a file, in milliseconds; SQLite itself would not wait at all. */
export const LOCK_PATIENCE = 20_000;

/** A real SQLite file in a folder of its own. */
export const sqlite: Engine = {
  name: 'SQLite',
  create,
  // Opening it applies the steps, which costs next to nothing here.
  createMigrated: create,
};

async function create(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'terse-store-'));
  const path = join(folder, 'data', 'terse.db');
  return {
    address: `file:${path}`,
    open: (now = NOON, clock = () => now) => openStore({ engine: 'sqlite', path }, now, clock),
    async execute(sql) {
      // The program writes now and then, too.
      const database = new DatabaseSync(path, { timeout: LOCK_PATIENCE });
      database.exec(sql);
      database.close();
    },
    drop: async () => rmSync(folder, { recursive: true }),
  };
}
