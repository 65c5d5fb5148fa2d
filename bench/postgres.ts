import { join } from 'node:path';
import { startPostgres } from '../backend/test/support/postgres-server.ts';
import { type CreateOptions, measureCreates } from './creates.ts';
import type { Figure } from './figures.ts';
import { PORTS, startTerseOn } from './process.ts';

/**
 * Number of the service's database connections. Most connections run batches that create links, and a few look up API
 * keys.
 */
const CONNECTIONS = 10;

/**
 * Measures how fast a temporary PostgreSQL creates links. Commits are synced to disk. PostgreSQL may run on any CPU
 * core, so on two cores the service, the database and the load share them.
 */
export async function measurePostgres(run: Omit<CreateOptions, 'database' | 'engine' | 'start'>): Promise<Figure[]> {
  const server = await startPostgres(run.tell, { fsync: 'on' });
  try {
    const url = server.url('postgres');
    return await measureCreates({
      ...run,
      database: { engine: 'postgres', url, connections: CONNECTIONS },
      engine: ' on PostgreSQL',
      start: () => startTerseOn(url, PORTS.api, PORTS.short, join(run.folder, 'clicks')),
    });
  } finally {
    await server.stop();
  }
}
