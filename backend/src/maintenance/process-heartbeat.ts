import { hostname } from 'node:os';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';
import { HEARTBEAT, type ServingProcesses } from '../store/interface/serving-process-store.ts';
import { StoreError } from '../store/interface/store.ts';
import { runPeriodically } from './run-periodically.ts';

/**
 * Registration of this process as one that serves the database. Other processes see it before they migrate or move
 * the database.
 */
export interface Heartbeat {
  /** Removes the registration. Call it after the last write. */
  end(): Promise<void>;
}

interface HeartbeatParts {
  random: Random;
  log: Log;
  version: string;
  /**
   * Called if the database was migrated to a version that this process cannot use. This can happen if its heartbeats
   * failed for too long.
   */
  onOutdated?(error: StoreError): void;
}

/**
 * Registers this process and repeats its heartbeat.
 *
 * @param processes null for SQLite, which only one process can open
 */
export async function startHeartbeat(
  processes: ServingProcesses | null,
  { random, log, version, onOutdated }: HeartbeatParts,
): Promise<Heartbeat> {
  if (!processes) return { end: async () => {} };
  const id = Buffer.from(random(8)).toString('hex');
  const self = { id, name: `process ${process.pid} on ${hostname()} (Terse ${version})` };
  await processes.enter(self);
  const beat = () =>
    processes.touch(self).catch((error) => {
      if (error instanceof StoreError) onOutdated?.(error);
      else log('warn', 'the heartbeat of this process was not stored', { error });
    });
  const beating = runPeriodically(HEARTBEAT, beat, 'later');
  return {
    async end() {
      await beating.end();
      // If the database is unreachable, the registration expires after 90 seconds.
      await processes.leave(id).catch(() => {});
    },
  };
}
