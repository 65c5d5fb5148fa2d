import type { TestProject } from 'vitest/node';
import { scriptOfSchema } from './postgres-schema.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's PostgreSQL server, with the name of the database it comes with. */
    postgres: string;
    /** Makes a schema that has all steps: see `scriptOfSchema`. */
    schema: string;
  }
}

/** One server for the whole run; every test makes a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = project.vitest.getRootProject();
  // Of several projects that need it the first one starts it.
  if ('postgres' in run.getProvidedContext()) return async () => {};
  const server = await startPostgres((line) => project.vitest.logger.log(line));
  run.provide('postgres', server.url('postgres'));
  run.provide('schema', await scriptOfSchema(server.url('postgres')));
  return server.stop;
}
