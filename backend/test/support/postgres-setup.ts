import type { TestProject } from 'vitest/node';
import { scriptOfSchema } from './postgres-schema.ts';
import { startPostgres } from './postgres-server.ts';

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
