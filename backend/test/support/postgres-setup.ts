import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, withPool } from '../../src/store/postgres/migrate.ts';
import { providePostgres, startPostgres } from './postgres-server.ts';
import { NOON } from './store.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server of this test run, with its default database. */
    postgres: string;
    /** Script that creates the migrated schema. See `scriptOfSchema`. */
    schema: string;
  }
}

/** Starts one server for the whole test run. Each test uses an empty schema of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = project.vitest.getRootProject();
  // The first test project that needs the server starts it.
  if ('postgres' in run.getProvidedContext()) return async () => {};
  const server = await startPostgres((line) => project.vitest.logger.log(line));
  run.provide('postgres', server.url('postgres'));
  run.provide('schema', await scriptOfSchema(server.url('postgres')));
  return server.stop;
}

/** Placeholder for the schema name in the script. */
const NAME = 'schema_to_make';

/**
 * Returns a script that creates the fully migrated schema. Hundreds of tests need this schema, and the script takes
 * half the time of the migrations.
 *
 * @param server address of a database of the server that will run the script
 */
async function scriptOfSchema(server: string): Promise<string> {
  await execute(server, `CREATE SCHEMA ${NAME}`);
  await withPool(addressOf(server, NAME), (pool) => migrate(pool, NOON));
  const dump = join(
    providePostgres(() => {}),
    'pg_dump',
  );
  const options = ['--schema', NAME, '--inserts', '--no-owner', '--no-comments', '--dbname', server];
  const script = execFileSync(dump, options, { encoding: 'utf8' });
  await execute(server, `DROP SCHEMA ${NAME} CASCADE`);
  // Lines that only psql understands are removed.
  return script.replaceAll(/^\\.*$/gm, '');
}

/** A migrated schema of the test server. */
export interface MigratedSchema {
  name: string;
  /** Versions of the catalog's entries of all tables and indexes. Any later change of the schema changes this text. */
  shape: string;
}

/** @param script result of `scriptOfSchema` */
export function makeMigratedSchema(server: string, script: string, name: string): Promise<MigratedSchema> {
  return onConnection(server, async (client) => {
    await client.query(script.replaceAll(NAME, name));
    return { name, shape: (await look(client, name)).shape };
  });
}

/**
 * Restores the rows of a new schema, which takes a tenth of the time that dropping and creating the schema takes.
 * Returns false if the schema cannot be reused, because a test changed its tables or stored many rows.
 */
export function resetSchema(server: string, script: string, { name, shape }: MigratedSchema): Promise<boolean> {
  return onConnection(server, async (client) => {
    const found = await look(client, name);
    if (found.shape !== shape || found.bytes > MAX_REUSABLE_BYTES) return false;
    const { deletions, insertions } = rowsOf(script);
    // In this mode, rows can be deleted in any order, regardless of foreign keys.
    const statements = ['SET session_replication_role = replica', ...deletions, ...insertions];
    await client.query(statements.join(';\n').replaceAll(NAME, name));
    return true;
  });
}

/** Deleted rows still slow down later tests, so a schema with a large table is not reused. */
const MAX_REUSABLE_BYTES = 4 * 1024 * 1024;

async function look(client: Client, schema: string): Promise<{ shape: string; bytes: number }> {
  const { rows } = await client.query<{ shape: string; bytes: string }>(
    `SELECT md5(string_agg(oid || ' ' || xmin, ',' ORDER BY oid)) AS shape, sum(pg_relation_size(oid)) AS bytes
     FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`,
  );
  return { shape: rows[0]?.shape ?? '', bytes: Number(rows[0]?.bytes) };
}

function rowsOf(script: string) {
  const tables = [...script.matchAll(/^CREATE TABLE (\S+)/gm)].map(([, table]) => table);
  const insertions = [...script.matchAll(/^(?:INSERT INTO|SELECT pg_catalog\.setval).*(?=;$)/gm)].map(([line]) => line);
  return { deletions: tables.map((table) => `DELETE FROM ${table}`), insertions };
}

export function addressOf(server: string, schema: string, options = ''): string {
  return `${server}&options=${encodeURIComponent(`-c search_path=${schema} ${options}`)}`;
}

export async function execute(url: string, sql: string): Promise<void> {
  await onConnection(url, (client) => client.query(sql));
}

async function onConnection<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
