import { hostname } from 'node:os';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';
import { HEARTBEAT, type ServingProcesses } from '../store/postgres/serving-processes.ts';
import { StoreError } from '../store/store-errors.ts';
import { runPeriodically } from './run-periodically.ts';

/**
 * Database entry that tells other processes that this process is using the database. The process renews its entry
 * regularly.
 */
export interface Heartbeat {
  /** Deletes this process's entry from the database. Must be called after the process's last write to the database. */
  end(): Promise<void>;
}

interface HeartbeatParts {
  random: Random;
  log: Log;
  version: string;
  /** Called if the heartbeat fails because a newer version of Terse has migrated the database. */
  onOutdated?(error: StoreError): void;
}

/** @param processes list of the processes that use the database, or null if the database allows only one process */
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
      else log('warn', 'could not save the heartbeat of this process', { error });
    });
  const beating = runPeriodically(HEARTBEAT, beat, 'later');
  return {
    async end() {
      await beating.end();
      // Ignores errors, because the database entry of this process expires after 90 seconds.
      await processes.leave(id).catch(() => {});
    },
  };
}
