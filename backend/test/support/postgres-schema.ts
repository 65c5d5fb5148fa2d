import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { providePostgres } from './postgres-binaries.ts';
import { NOON } from './store.ts';

/** Placeholder for the schema name in the script. */
const NAME = 'schema_to_make';

/**
 * Returns a script that creates the fully migrated schema. Hundreds of tests need this schema, and the script takes
 * half the time of the migrations.
 *
 * @param server address of a database of the server that will run the script
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
  // Lines that only psql understands are removed.
  return script.replaceAll(/^\\.*$/gm, '');
}

export function makingSchema(script: string, name: string): string {
  return script.replaceAll(NAME, name);
}

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
