import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startPostgres } from '../../backend/test/support/postgres-server.ts';
import { type Figure, plain } from '../figures.ts';
import { loneClicks, rowsOfClicks } from './counting.ts';
import { lookUps, memoryOfLinks } from './invalidation.ts';
import { bytesOfVisitors, errorsOfSketches } from './visitors.ts';

/** Estimates how parts of the service would perform with a billion links and 100,000 redirects per second. */
export async function simulate({
  folder,
  seconds,
  tell,
}: {
  folder: string;
  seconds: number;
  tell(text: string): void;
}): Promise<Figure[]> {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  tell('clicks on links of their own');
  const lone = await measureLone(folder, seconds, tell);
  tell('rows and bytes');
  const rows = [...rowsOfClicks(), ...bytesOfVisitors(), ...errorsOfSketches()];
  tell('links at hand');
  return [...lone, ...rows, await memoryOfLinks(), ...(await lookUps())];
}

async function measureLone(folder: string, seconds: number, tell: (text: string) => void): Promise<Figure[]> {
  const server = await startPostgres(tell, { fsync: 'on' });
  try {
    const onSqlite = await loneClicks({ engine: 'sqlite', path: join(folder, 'lone.db') }, seconds);
    const onPostgres = await loneClicks({ engine: 'postgres', url: server.url('postgres'), connections: 4 }, seconds);
    return [
      plain('clicks counted a second by one process, each on a link of its own, on SQLite', onSqlite.toFixed(0)),
      plain('the same on PostgreSQL', onPostgres.toFixed(0)),
    ];
  } finally {
    await server.stop();
  }
}
