import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open.ts';
import { type Engine, NOON } from './store.ts';

/** A real SQLite file in a folder of its own. */
export const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'terse-store-'));
    const path = join(folder, 'data', 'terse.db');
    return {
      address: `file:${path}`,
      open: (now = NOON, clock = () => now) => openStore({ engine: 'sqlite', path }, now, clock),
      async execute(sql) {
        const database = new DatabaseSync(path);
        database.exec(sql);
        database.close();
      },
      drop: async () => rmSync(folder, { recursive: true }),
    };
  },
};
