import { hostname } from 'node:os';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';
import { HEARTBEAT, type ServingProcesses } from '../store/interface/serving-process-store.ts';
import { StoreError } from '../store/interface/store.ts';
import { runPeriodically } from './run-periodically.ts';

/** Database entry that tells other processes that this process is using the database. It is renewed regularly. */
export interface Heartbeat {
  /** Deletes the entry from the database. Must be called after the last write to the database. */
  end(): Promise<void>;
}

interface HeartbeatParts {
  random: Random;
  log: Log;
  version: string;
  /**
   * Called if a newer version of Terse has migrated the database. The newer version assumed that this process had
   * ended, because the process had not renewed its entry in time.
   */
  onOutdated?(error: StoreError): void;
}

/** @param processes null if the database allows only one process */
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
      else log('warn', 'the heartbeat of this process could not be saved', { error });
    });
  const beating = runPeriodically(HEARTBEAT, beat, 'later');
  return {
    async end() {
      await beating.end();
      // If the database is unavailable, the entry of this process cannot be deleted. The entry expires after 90
      // seconds.
      await processes.leave(id).catch(() => {});
    },
  };
}
