import { startPostgres } from '../backend/test/support/postgres-server.ts';
import { type CreateOptions, measureCreates } from './creates.ts';
import type { Figure } from './figures.ts';
import { startTerse } from './process.ts';

/** Number of the service's database connections. */
const DATABASE_CONNECTIONS = 10;

/**
 * Measures how fast the service creates links on a temporary PostgreSQL server that syncs commits to disk. PostgreSQL
 * may run on any CPU core. On a machine with two cores, it competes with the service and the load generator.
 */
export async function measurePostgres(
  run: Omit<CreateOptions, 'database' | 'engine' | 'least' | 'start'>,
): Promise<Figure[]> {
  const server = await startPostgres(run.tell, { fsync: 'on' });
  try {
    const url = server.url('postgres');
    return await measureCreates({
      ...run,
      database: { engine: 'postgres', url, connections: DATABASE_CONNECTIONS },
      engine: ' on PostgreSQL',
      least: null,
      start: () => startTerse(url),
    });
  } finally {
    await server.stop();
  }
}
