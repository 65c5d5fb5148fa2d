import type { Config } from '../config/environment.ts';
import { dayOf, type WaitingClick } from '../domain/analytics/day-counts.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import { createThrottledLog, type Log } from '../log/log.ts';
import { runPeriodically } from '../maintenance/maintenance.ts';
import type { Store } from '../store/open-store.ts';
import { createClickDescriber, createSalts, type DescribeClick } from './record-click.ts';
import { createClickWriter } from './write-clicks.ts';

/** Records clicks and counts them. */
export interface Clicks {
  describe: DescribeClick;
  /** Resolves when the click is stored. See `createClickWriter`. */
  add(click: WaitingClick): Promise<void>;
  /** Resolves when all clicks stored so far have been counted, and the visitors of other days are deleted. */
  settle(): Promise<void>;
  stop(): Promise<void>;
  stats(): ClickStats;
}

export interface ClickStats {
  /** Number of clicks that could not be stored. The visitors were redirected, but these clicks are never counted. */
  lost: number;
  /** Number of stored clicks that were not counted yet, at the last count. */
  waiting: number;
}

export interface ClicksServices {
  config: Pick<Config, 'trustedProxies' | 'countryHeader'>;
  store: Pick<Store, 'clicks'>;
  clock: Clock;
  random: Random;
  log: Log;
}

const COUNTING_INTERVAL_MS = 1000;

/** Maximum number of waiting clicks that are counted in every interval. */
const FEW_CLICKS = 1000;

/** Maximum number of intervals for which many clicks wait, because counting more clicks together costs less. */
const INTERVALS_BETWEEN_COUNTS = 10;

const SALTS_INTERVAL_MS = 60_000;

/** Milliseconds between two log lines about the same failure, which is retried in every interval. */
const FAILURE_LOG_INTERVAL_MS = 60_000;

/** Maximum number of clicks that wait in the database to be counted. Further clicks are lost. */
const MAX_WAITING = 10_000_000;

export async function startClicks({ config, store, clock, random, log }: ClicksServices): Promise<Clicks> {
  const { clicks } = store;
  const process = Buffer.from(random(8)).toString('hex');
  const salts = createSalts(clicks, clock, random);
  const writer = createClickWriter({ clicks, process, clock, log });
  /** Day on which the visitors of other days were last deleted. */
  let lastDay = 0;
  let waiting = 0;
  const stopping = new AbortController();
  /** Number of intervals since the last count. A start counts at once. */
  let intervals = INTERVALS_BETWEEN_COUNTS;
  let running: Promise<void> = Promise.resolve();
  const createFailureLog = (message: string) =>
    createThrottledLog(FAILURE_LOG_INTERVAL_MS, (times, error) => log('error', message, { times, error }));
  const saltFailures = createFailureLog('reading the salts failed and is retried');
  const countFailures = createFailureLog('counting clicks failed and is retried');
  const deletionFailures = createFailureLog('deleting the visitors of other days failed and is retried');

  function setWaiting(clicks: number): void {
    waiting = clicks;
    writer.setFull(waiting >= MAX_WAITING);
  }

  /** Counts after a count that is already running, so that all clicks stored before the call are counted. */
  function count(): Promise<void> {
    running = running.then(countOnce);
    return running;
  }

  /** Counts the waiting clicks. After the last clicks of a day, also deletes its visitors. */
  async function countOnce(): Promise<void> {
    const today = dayOf(clock());
    // Visitors are counted only on days with a salt.
    if (today !== lastDay) await refreshSalts();
    try {
      const { dropped } = await clicks.count(stopping.signal, setWaiting);
      intervals = 0;
      if (dropped > 0) log('warn', 'clicks on links that no longer exist were not counted', { clicks: dropped });
    } catch (error) {
      // The next start counts the other visitors before it deletes them.
      if (stopping.signal.aborted) return;
      countFailures.add(1, error);
    }
    if (today === lastDay) return;
    try {
      if (await clicks.forgetVisitors(today)) lastDay = today;
    } catch (error) {
      deletionFailures.add(1, error);
    }
  }

  /** Counts once per interval. If many clicks are waiting, counts less often. */
  async function countIfDue(): Promise<void> {
    intervals += 1;
    setWaiting(await clicks.waiting().catch(() => waiting));
    if (waiting <= FEW_CLICKS || intervals >= INTERVALS_BETWEEN_COUNTS) await count();
  }

  /** Runs even while clicks are counted, so that all processes know the salt of the next day before midnight. */
  const refreshSalts = () => salts.refresh().catch((error) => saltFailures.add(1, error));

  // The first click needs the salt of the day.
  await refreshSalts();
  const stopRefreshing = runPeriodically(SALTS_INTERVAL_MS, refreshSalts, 'later');
  const stopCounting = runPeriodically(COUNTING_INTERVAL_MS, countIfDue, 'now');

  return {
    describe: createClickDescriber({ ...config, salts, clock }),
    add: writer.add,
    settle: count,
    async stop() {
      stopping.abort();
      await Promise.all([stopRefreshing(), stopCounting(), writer.stop()]);
    },
    stats: () => ({ lost: writer.lost(), waiting }),
  };
}
