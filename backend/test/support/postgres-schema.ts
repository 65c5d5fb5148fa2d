import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { providePostgres } from './postgres-binaries.ts';
import { NOON } from './store.ts';

/** What stands in the script for the name of the schema to make. */
const NAME = 'schema_to_make';

/**
 * A script that makes a schema as all steps leave it, in one go: half of what the steps themselves cost, before each of
 * hundreds of tests.
 *
 * @param server the address of a database of the server that is to run it
 */
export async function scriptOfSchema(server: string): Promise<string> {
  await execute(server, `CREATE SCHEMA ${NAME}`);
  await migrate(addressOf(server, NAME), NOON);
  const dump = join(
    providePostgres(() => {}),
    'pg_dump',
  );
  const options = ['--schema', NAME, '--inserts', '--no-owner', '--no-comments', '--dbname', server];
  const script = execFileSync(dump, options, { encoding: 'utf8' });
  await execute(server, `DROP SCHEMA ${NAME} CASCADE`);
  // Lines for psql alone.
  return script.replaceAll(/^\\.*$/gm, '');
}

/** The script that makes a schema of that name. */
export function makingSchema(script: string, name: string): string {
  return script.replaceAll(NAME, name);
}

/** The address of one schema of a database. */
export function addressOf(server: string, schema: string, options = ''): string {
  return `${server}&options=${encodeURIComponent(`-c search_path=${schema} ${options}`)}`;
}

export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
