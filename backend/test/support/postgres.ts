import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** A database of its own on the run's real PostgreSQL server. */
export const postgres = postgresEngine('PostgreSQL');

/** As CockroachDB has it, and whoever sets `default_transaction_isolation`: conflicts are errors, and tried again. */
export const serializable = postgresEngine(
  'PostgreSQL, serializable',
  "default_transaction_isolation = 'serializable'",
);

function postgresEngine(name: string, setting?: string): Engine {
  return {
    name,
    async create(): Promise<TestDatabase> {
      const database = `test_${randomUUID().replaceAll('-', '')}`;
      await execute(inject('postgres'), `CREATE DATABASE ${database}`);
      if (setting) await execute(inject('postgres'), `ALTER DATABASE ${database} SET ${setting}`);
      const url = inject('postgres').replace('/postgres?', `/${database}?`);
      return {
        address: url,
        open: (now = NOON) => openStore({ engine: 'postgres', url, connections: 10 }, now),
        execute: (sql) => execute(url, sql),
        drop: () => execute(inject('postgres'), `DROP DATABASE ${database} WITH (FORCE)`),
      };
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
