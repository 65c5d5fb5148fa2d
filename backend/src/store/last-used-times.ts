import { createThrottledLog, type Log } from '../log/log.ts';
import type { Store } from './open-store.ts';

/** Age in milliseconds at which a stored time is replaced. A higher precision would require more writes. */
export const LAST_USED_PRECISION_MS = 60_000;

/**
 * Minimum time between two log lines, in milliseconds. Without a minimum, every request would log an error while the
 * database is unreachable.
 */
const LOG_INTERVAL = 60_000;

export type LastUsedRecorder = ReturnType<typeof createLastUsedRecorder>;

/**
 * Records when API keys and sessions were last used. Requests do not wait until the time is stored, and they succeed
 * even if the time cannot be stored. The next request with the same API key or session then tries again.
 */
export function createLastUsedRecorder(
  { keys, sessions }: { keys: Pick<Store['keys'], 'touch'>; sessions: Pick<Store['sessions'], 'touch'> },
  log: Log,
) {
  const failures = createThrottledLog(LOG_INTERVAL, (times, error) =>
    log('error', 'could not save when a key or session was last used', { times, error }),
  );

  function createRecorder(touch: (id: number, now: number) => Promise<void>) {
    const underWay = new Set<number>();
    return (id: number, now: number): void => {
      if (underWay.has(id)) return;
      underWay.add(id);
      touch(id, now)
        .catch((error) => failures.add(1, error))
        .finally(() => underWay.delete(id));
    };
  }

  return {
    key: createRecorder((id, now) => keys.touch(id, now)),
    session: createRecorder((id, now) => sessions.touch(id, now)),
  };
}
