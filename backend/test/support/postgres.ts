import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { PATIENT } from './patient.ts';
import { addressOf, execute, makingSchema } from './postgres-schema.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** The PostgreSQL server of this test run. Each test database is a schema, because a schema is faster to create. */
export const postgres = postgresEngine('PostgreSQL');

/**
 * PostgreSQL with serializable transactions, which CockroachDB uses by default. Conflicting transactions fail and
 * must be repeated.
 */
export const serializable = postgresEngine('PostgreSQL, serializable', '-c default_transaction_isolation=serializable');

function postgresEngine(name: string, options = ''): Engine {
  async function made(script: (schema: string) => string): Promise<TestDatabase> {
    const server = inject('postgres');
    const schema = `test_${randomUUID().replaceAll('-', '')}`;
    await execute(server, script(schema));
    const url = addressOf(server, schema, options);
    return {
      address: url,
      open: (now = NOON, clock = () => now, foldsCase) =>
        openStore({ engine: 'postgres', url, connections: 10, deadlines: PATIENT }, now, clock, foldsCase),
      execute: (sql) => execute(url, sql),
      drop: () => execute(server, `DROP SCHEMA ${schema} CASCADE`),
    };
  }
  return {
    name,
    create: () => made((schema) => `CREATE SCHEMA ${schema}`),
    createMigrated: () => made((schema) => makingSchema(inject('schema'), schema)),
  };
}
