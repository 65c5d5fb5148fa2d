import { dayOf, type WaitingClick } from '../domain/analytics/day-counts.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { createThrottledLog, type Log } from '../log/log.ts';
import type { ClickStore } from '../store/sql/click-queries.ts';
import { StoreFull, StoreUnavailable } from '../store/store-errors.ts';

export interface ClickWriterServices {
  clicks: Pick<ClickStore, 'add'>;
  /** Random id of this process. */
  process: string;
  clock: Clock;
  log: Log;
}

/**
 * Maximum time for which a redirect waits until its click is stored, in ticks of a timer. The time in which the process
 * is suspended or blocked by the disk has only one tick.
 */
const MAX_WAIT_TICKS = 5;
const WAIT_TICK_MS = 100;

/** Maximum number of clicks in memory while the database is unreachable (about 15 MB). Further clicks are lost. */
export const MAX_CLICKS_IN_MEMORY = 50_000;

/** Maximum number of clicks that are stored with one transaction. Long transactions would block other writers. */
const MAX_CLICKS_PER_BATCH = 100;

/**
 * Maximum pause in milliseconds after a batch, and number of clicks that end the pause. A batch of many clicks costs less
 * than several batches.
 */
const PAUSE_MS = 3;
const ENOUGH_CLICKS = 40;

/** Delay in milliseconds before clicks are sent to an unreachable database again. */
const RETRY_DELAY_MS = 250;

/**
 * Minimum time in milliseconds between two log lines about lost clicks. On a full disk, thousands of clicks per second
 * can be lost.
 */
const LOG_INTERVAL_MS = 10_000;

/** Clicks that are stored together, and the promise that their redirects wait for. */
interface Group extends PromiseWithResolvers<void> {
  clicks: WaitingClick[];
}

export type ClickWriter = ReturnType<typeof createClickWriter>;

/**
 * Stores clicks in the database, one batch at a time. The clicks of a few milliseconds are stored together, because
 * storing each click separately would double the cost of a redirect. If the database is unreachable, the same batch is
 * sent again until the database responds. Clicks that are added meanwhile wait in memory.
 */
export function createClickWriter({ clicks, process, clock, log }: ClickWriterServices) {
  let waiting: Group | null = null;
  let writing: Promise<void> | null = null;
  let size = 0;
  let number = 0;
  let lost = 0;
  let isFull = false;
  /** True if the last attempt failed or takes too long. Redirects then do not wait until an attempt succeeds. */
  let isAway = false;
  let isStopping = false;
  let resume = () => {};
  const losses = createThrottledLog(LOG_INTERVAL_MS, (clicks, error) =>
    log('error', 'visitors were redirected, but their clicks could not be stored', { clicks, error }),
  );

  function lose(clicks: number, error: unknown): void {
    lost += clicks;
    losses.add(clicks, error);
  }

  /**
   * Resolves when the click is stored, so that it survives if the process is killed. Also resolves when storing it has
   * failed or takes too long, because visitors must not wait for the statistics.
   */
  async function add(click: WaitingClick): Promise<void> {
    if (isFull || size >= MAX_CLICKS_IN_MEMORY) {
      lose(1, new Error('Too many clicks wait to be stored or counted.'));
      return;
    }
    size += 1;
    waiting ??= newGroup();
    waiting.clicks.push(click);
    if (waiting.clicks.length >= ENOUGH_CLICKS) resume();
    writing ??= writeAll();
    if (!isAway) await waiting.promise;
  }

  function newGroup(): Group {
    const group = { clicks: [], ...Promise.withResolvers<void>() };
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      isAway ||= ticks >= MAX_WAIT_TICKS;
      if (isAway) group.resolve();
    }, WAIT_TICK_MS);
    group.promise.then(() => clearInterval(timer));
    return group;
  }

  async function writeAll(): Promise<void> {
    for (let group = waiting; group; group = waiting) {
      await new Promise((resolve) => setImmediate(resolve));
      waiting = null;
      while (group.clicks.length > 0) await write(group.clicks.splice(0, MAX_CLICKS_PER_BATCH), group);
      group.resolve();
      await pause();
    }
    writing = null;
  }

  /** Waits until the next batch has enough clicks, but only a short time. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      resume = resolve;
      setTimeout(resolve, PAUSE_MS);
    });
  }

  /**
   * Stores a batch. While the database is unreachable, sends the batch again. If this process is stopping, the whole
   * group is lost instead.
   */
  async function write(batch: WaitingClick[], group: Group): Promise<void> {
    number += 1;
    for (;;) {
      try {
        await clicks.add({ process, number, clicks: withoutOldVisitors(batch, dayOf(clock())) });
        isAway = false;
        break;
      } catch (error) {
        // An unreachable database may accept the same clicks later.
        isAway = error instanceof StoreUnavailable && !(error instanceof StoreFull);
        if (isStopping && isAway) batch.push(...group.clicks.splice(0));
        if (isStopping || !isAway) {
          lose(batch.length, error);
          break;
        }
      }
      group.resolve();
      waiting?.resolve();
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref());
    }
    size -= batch.length;
  }

  return {
    add,
    /** Stores the remaining clicks. If the database is unreachable, these clicks are lost. */
    async stop(): Promise<void> {
      isStopping = true;
      await writing;
      losses.flush();
    },
    /** Number of clicks that could not be stored. The visitors were redirected, but these clicks are never counted. */
    lost: () => lost,
    /** Sets whether the database has no room for more clicks. New clicks are then lost. */
    setFull(value: boolean): void {
      isFull = value;
    },
  };
}

/** Removes the visitor hashes of the days before `today`. */
function withoutOldVisitors(clicks: readonly WaitingClick[], today: number): readonly WaitingClick[] {
  if (clicks.every(({ at }) => dayOf(at) >= today)) return clicks;
  return clicks.map((click) => (dayOf(click.at) < today ? { ...click, visitor: null } : click));
}
