import { hostname } from 'node:os';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';
import { HEARTBEAT, type ServingProcesses } from '../store/interface/serving-process-store.ts';
import { StoreError } from '../store/interface/store.ts';
import { runPeriodically } from './run-periodically.ts';

/** That this process serves its database, said to all who may want to change or leave it. */
export interface Heartbeat {
  /** Takes it back. To be called when nothing is written any more. */
  end(): Promise<void>;
}

interface HeartbeatParts {
  random: Random;
  log: Log;
  version: string;
  /** Called where the database has become too new for this process, which was not heard of for too long. */
  onOutdated?(error: StoreError): void;
}

/** @param processes null where a database has one process at most, which is known by its lock */
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
      else log('warn', 'the database was not told that this process serves', { error });
    });
  const beating = runPeriodically(HEARTBEAT, beat, 'later');
  return {
    async end() {
      await beating.end();
      // Without the database it is forgotten by itself, after a minute and a half.
      await processes.leave(id).catch(() => {});
    },
  };
}
