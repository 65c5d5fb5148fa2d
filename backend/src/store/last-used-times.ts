import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { Session } from './interface/account-store.ts';
import type { ApiKey, Store } from './interface/store.ts';

/** A last use is kept to the minute, so that most requests write nothing. In milliseconds. */
const KEPT_TO = 60_000;

/** With the database away every request fails to note its use; one line in the log for so long is enough. */
const REPORT_EVERY = 60_000;

/** Notes when keys and sessions were last used, beside the answers: no request waits for it, or fails by it. */
export interface LastUses {
  key(key: ApiKey, now: number): void;
  session(session: Session, now: number): void;
}

/**
 * What cannot be noted is noted by the next request that finds it stale.
 *
 * @param holdStop makes a stop wait for what is being noted
 */
export function createLastUses(
  { keys, sessions }: { keys: Pick<Store['keys'], 'touch'>; sessions: Pick<Store['sessions'], 'touch'> },
  { log, holdStop }: { log: Log; holdStop(work: Promise<void>): void },
): LastUses {
  const failures = createThrottledLog(REPORT_EVERY, (times, error) =>
    log('error', 'a last use was not noted', { times, error }),
  );

  function noter(touch: (id: number, now: number) => Promise<void>) {
    const underWay = new Set<number>();
    return ({ id, lastUsedAt }: Pick<ApiKey, 'id' | 'lastUsedAt'>, now: number): void => {
      const isKept = lastUsedAt !== null && now - lastUsedAt < KEPT_TO;
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
