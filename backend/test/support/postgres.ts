import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { PATIENT } from './patient.ts';
import { type Engine, NOON } from './store.ts';

/** A real PostgreSQL server, the run's own; each database is a schema of its own, which costs less than a database. */
export const postgres = postgresEngine('PostgreSQL');

/** As CockroachDB has it by default: whoever collides gets an error, and is to try again. */
export const serializable = postgresEngine('PostgreSQL, serializable', '-c default_transaction_isolation=serializable');

function postgresEngine(name: string, options = ''): Engine {
  return {
    name,
    async create() {
      const server = inject('postgres');
      const schema = `test_${randomUUID().replaceAll('-', '')}`;
      await execute(server, `CREATE SCHEMA ${schema}`);
      const url = `${server}&options=${encodeURIComponent(`-c search_path=${schema} ${options}`)}`;
      return {
        address: url,
        open: (now = NOON, clock = () => now) =>
          openStore({ engine: 'postgres', url, connections: 10, deadlines: PATIENT }, now, clock),
        execute: (sql) => execute(url, sql),
        drop: () => execute(server, `DROP SCHEMA ${schema} CASCADE`),
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
