import type { ApiKey } from '../domain/accounts/stored-key.ts';
import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { Session } from './interface/account-store.ts';
import type { Store } from './interface/store.ts';

/** Precision of the stored times, in milliseconds. More precise times would require more writes. */
const PRECISION = 60_000;

/**
 * Minimum time between two log lines, in milliseconds. Without it, every request would log an error while the
 * database is unreachable.
 */
const LOG_INTERVAL = 60_000;

/**
 * Records when API keys and sessions were last used. Requests do not wait for the write, and they succeed even if it
 * fails.
 */
export interface LastUsedRecorder {
  key(key: ApiKey, now: number): void;
  session(session: Session, now: number): void;
}

/**
 * Creates a recorder. If a write fails, the next request with the same API key or session tries again.
 *
 * @param holdStop delays the shutdown of the server until a write is finished
 */
export function createLastUsedRecorder(
  { keys, sessions }: { keys: Pick<Store['keys'], 'touch'>; sessions: Pick<Store['sessions'], 'touch'> },
  { log, holdStop }: { log: Log; holdStop(work: Promise<void>): void },
): LastUsedRecorder {
  const failures = createThrottledLog(LOG_INTERVAL, (times, error) =>
    log('error', 'the last use of a key or session was not recorded', { times, error }),
  );

  function noter(touch: (id: number, now: number) => Promise<void>) {
    const underWay = new Set<number>();
    return ({ id, lastUsedAt }: Pick<ApiKey, 'id' | 'lastUsedAt'>, now: number): void => {
      const isKept = lastUsedAt !== null && now - lastUsedAt < PRECISION;
      if (isKept || underWay.has(id)) return;
      underWay.add(id);
      const noted = touch(id, now)
        .catch((error) => failures.add(1, error))
        .finally(() => underWay.delete(id));
      holdStop(noted);
    };
  }

  return {
    key: noter((id, now) => keys.touch(id, now)),
    session: noter((id, now) => sessions.touch(id, now)),
  };
}
