import { hostname } from 'node:os';
import { setImmediate as tick } from 'node:timers/promises';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/open-store.ts';
import { HEARTBEAT, type ServingProcesses } from '../store/postgres/migrate.ts';
import { StoreError } from '../store/store-errors.ts';

/** Stops repeating a task. Resolves when the current run of the task has ended. */
export type StopTask = () => Promise<unknown>;

/**
 * Repeats a task. The interval starts at the end of each run, so runs never overlap. The timer does not keep the
 * process alive.
 *
 * @param interval in milliseconds
 * @param task must not throw
 */
export function runPeriodically(interval: number, task: () => Promise<unknown>, first: 'now' | 'later'): StopTask {
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();

  function run(): void {
    round = task().finally(wait);
  }

  function wait(): void {
    if (!isEnded) timer = setTimeout(run, interval).unref();
  }

  if (first === 'now') run();
  else wait();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    return round;
  };
}

/**
 * Adds this process to the list of processes that use the database, and renews its entry regularly. Other processes
 * read the list before they migrate the database.
 *
 * @param onOutdated called if a newer version of Terse has migrated the database
 * @returns function that removes the entry; must be called after the last write to the database
 */
export async function startHeartbeat(
  processes: ServingProcesses,
  { random, log, version, onOutdated }: { random: Random; log: Log; version: string; onOutdated?(error: Error): void },
): Promise<StopTask> {
  const id = Buffer.from(random(8)).toString('hex');
  const self = { id, name: `process ${process.pid} on ${hostname()} (Terse ${version})` };
  await processes.touch(self);
  const beat = () =>
    processes.touch(self).catch((error) => {
      if (error instanceof StoreError) onOutdated?.(error);
      else log('warn', 'could not save the heartbeat of this process', { error });
    });
  const stop = runPeriodically(HEARTBEAT, beat, 'later');
  return async () => {
    await stop();
    // Ignores errors, because the database entry of this process expires after 90 seconds.
    await processes.leave(id).catch(() => {});
  };
}

/** Time for which an uploaded file is stored, in milliseconds. */
export const UPLOAD_LIFETIME_MS = 3_600_000;

/** Maximum number of rows per transaction. The number is small, so that redirects do not have to wait. */
const ROWS_AT_ONCE = 200;

interface Upkeep {
  store: Store;
  clock: Clock;
  log: Log;
  stopping: AbortSignal;
}

/** Deletes expired data. If a task fails, the error is logged and the next run tries again. */
export async function runMaintenance({ store, clock, log, stopping }: Upkeep): Promise<void> {
  const now = clock();
  const tasks: Record<string, () => Promise<unknown>> = {
    'delete cached responses': () => store.createRequests.forget(now),
    'delete expired sessions': () => store.sessions.forget(now),
    'delete old uploads': () => store.uploads.forget(now, UPLOAD_LIFETIME_MS),
    'delete deleted accounts': () => purgeDeletedAccounts(store, now, stopping),
    'delete expired invitations': () => store.accounts.forget(now),
  };
  for (const [name, task] of Object.entries(tasks)) {
    if (stopping.aborted) return;
    await task().catch((error) => log('error', `could not ${name}`, { error }));
  }
}

/** Deletes the data of deleted accounts. If the process stops before all data is deleted, the next run continues. */
export async function purgeDeletedAccounts(
  { accounts }: Pick<Store, 'accounts'>,
  now: number,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted && (await accounts.clear(ROWS_AT_ONCE, now))) await tick();
}
