import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { Store } from './open-store.ts';

/** Precision of the stored times, in milliseconds. Higher precision would require more writes. */
const PRECISION = 60_000;

/**
 * Minimum time between two log lines, in milliseconds. Without a minimum, every request would log an error while the
 * database is unreachable.
 */
const LOG_INTERVAL = 60_000;

export type LastUsedRecorder = ReturnType<typeof createLastUsedRecorder>;

/**
 * Records when API keys and sessions were last used. Requests do not wait until the time is stored, and they succeed
 * even if the time cannot be stored. The next request with the same API key or session then tries again.
 *
 * @param holdStop delays the shutdown of the server until a write is finished
 */
export function createLastUsedRecorder(
  { keys, sessions }: { keys: Pick<Store['keys'], 'touch'>; sessions: Pick<Store['sessions'], 'touch'> },
  { log, holdStop }: { log: Log; holdStop(work: Promise<void>): void },
) {
  const failures = createThrottledLog(LOG_INTERVAL, (times, error) =>
    log('error', 'could not save when a key or session was last used', { times, error }),
  );

  function createRecorder(touch: (id: number, now: number) => Promise<void>) {
    const underWay = new Set<number>();
    return ({ id, lastUsedAt }: { id: number; lastUsedAt: number | null }, now: number): void => {
      const isRecent = lastUsedAt !== null && now - lastUsedAt < PRECISION;
      if (isRecent || underWay.has(id)) return;
      underWay.add(id);
      const saved = touch(id, now)
        .catch((error) => failures.add(1, error))
        .finally(() => underWay.delete(id));
      holdStop(saved);
    };
  }

  return {
    key: createRecorder((id, now) => keys.touch(id, now)),
    session: createRecorder((id, now) => sessions.touch(id, now)),
  };
}
