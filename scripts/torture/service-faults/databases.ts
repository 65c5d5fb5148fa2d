import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../../backend/src/store/open-store.ts';
import { adjustableClock } from '../../../backend/test/support/clock.ts';
import { startPostgres } from '../../../backend/test/support/postgres-server.ts';
import { PATIENT } from '../../../backend/test/support/program-changes.ts';

/** An empty database and the clock that the service uses. */
export interface Database {
  address: DatabaseAddress;
  environment: Record<string, string>;
  /** Number of service processes that use the database. */
  processes: number;
  /** Sets the service's clock to the real time plus `seconds`, with immediate effect. */
  setClock(seconds: number): void;
  /** Crashes the database server and starts it again. Null if the database has no server. */
  crash: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

/** Creates a SQLite database in `folder`. Only one service process can use the database. */
export async function createSqlite(folder: string): Promise<Database> {
  const clock = adjustableClock(join(folder, 'clock'));
  const path = join(folder, 'terse.db');
  return {
    address: { engine: 'sqlite', path },
    environment: { ...clock.environment, TERSE_DATABASE: `file:${path}` },
    processes: 1,
    setClock: clock.set,
    crash: null,
    async stop() {},
  };
}

/**
 * Starts a PostgreSQL server for two processes of the service. The server's clock is adjustable, because quotas
 * depend on the server's time.
 */
export async function createPostgres(folder: string): Promise<Database> {
  // PostgreSQL runs as another user and must be able to read the clock file.
  chmodSync(folder, 0o755);
  const clock = adjustableClock(join(folder, 'clock'));
  const server = await startPostgres(console.log, {}, clock.environment);
  const url = server.url('postgres');
  return {
    address: { engine: 'postgres', url, connections: 2, timeout: PATIENT },
    environment: { ...clock.environment, TERSE_DATABASE: url },
    processes: 2,
    setClock: clock.set,
    async crash() {
      await server.crash();
      await server.start();
    },
    stop: server.stop,
  };
}
