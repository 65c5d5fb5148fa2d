import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { addressOf, execute, type MigratedSchema, makeMigratedSchema, resetSchema } from './postgres-setup.ts';
import { PATIENT } from './program-changes.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** The PostgreSQL server of this test run. Each test database is a schema, because a schema is faster to create. */
export const postgres = postgresEngine();

function postgresEngine(): Engine {
  const databaseIn = (schema: string): TestDatabase => {
    const server = inject('postgres');
    const url = addressOf(server, schema);
    return {
      address: url,
      open: (now = NOON, clock = () => now, foldsCase) =>
        openStore({ engine: 'postgres', url, connections: 10, timeout: PATIENT }, now, clock, foldsCase),
      execute: (sql) => execute(url, sql),
      drop: () => execute(server, `DROP SCHEMA ${schema} CASCADE`),
    };
  };
  return {
    name: 'PostgreSQL',
    async create() {
      const schema = newName();
      await execute(inject('postgres'), `CREATE SCHEMA ${schema}`);
      return databaseIn(schema);
    },
    async createMigrated() {
      const made = reusable.pop() ?? (await makeMigratedSchema(inject('postgres'), inject('schema'), newName()));
      const database = databaseIn(made.name);
      return {
        ...database,
        async drop() {
          if (await resetSchema(inject('postgres'), inject('schema'), made)) reusable.push(made);
          else await database.drop();
        },
      };
    },
  };
}

/** Migrated schemas that earlier tests of this file used, and that are empty again. */
const reusable: MigratedSchema[] = [];

function newName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}
