import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, withPool } from '../../src/store/postgres/migrate.ts';
import { startPostgres } from './postgres-server.ts';
import { NOON } from './store.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server of this test run, with its default database. */
    postgres: string;
  }
}

/** Database with all migrations, which tests copy because a copy is faster than the migrations. */
export const TEMPLATE = 'migrated';

/** Starts one server for the whole test run. Each test uses a database of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = project.vitest.getRootProject();
  // The first test project that needs the server starts it.
  if ('postgres' in run.getProvidedContext()) return async () => {};
  const server = await startPostgres((line) => project.vitest.logger.log(line));
  await execute(server.url('postgres'), `CREATE DATABASE ${TEMPLATE}`);
  await withPool(server.url(TEMPLATE), (pool) => migrate(pool, NOON));
  run.provide('postgres', server.url('postgres'));
  return server.stop;
}

export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
