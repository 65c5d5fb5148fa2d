import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { connect } from '../../src/store/postgres/connection-pool.ts';
import { execute, TEMPLATE } from './postgres-setup.ts';
import { PATIENT } from './program-changes.ts';
import { type Engine, NOON, type TestDatabase } from './store.ts';

/** The PostgreSQL server of this test run. */
export const postgres: Engine = {
  name: 'PostgreSQL',
  create: () => createDatabase(''),
  createMigrated: () => createDatabase(`TEMPLATE ${TEMPLATE} STRATEGY file_copy`),
};

async function createDatabase(options: string): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE DATABASE ${name} ${options}`);
  const url = server.replace('/postgres?', `/${name}?`);
  return {
    address: url,
    open: (now = NOON, clock = () => now, foldsCase) =>
      openStore({ engine: 'postgres', url, connections: 10, timeout: PATIENT }, now, clock, foldsCase),
    connect: async () => connect({ url, connections: 2, timeout: PATIENT }),
    execute: (sql) => execute(url, sql),
    drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
