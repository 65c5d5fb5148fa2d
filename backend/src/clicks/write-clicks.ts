import { dayOf } from '../domain/analytics/calendar.ts';
import type { WaitingClick } from '../domain/analytics/day-counts.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { ClickStore } from '../store/sql/click-queries.ts';
import { StoreFull, StoreUnavailable } from '../store/store-errors.ts';

/** Stores clicks in the database. */
export interface ClickWriter {
  add(click: WaitingClick): void;
  /**
   * Resolves when all added clicks are stored, so that they survive if the process is killed. Also resolves when
   * storing them has failed or takes too long, because visitors must not wait for the statistics.
   */
  commit(): Promise<void>;
  /** Stores the remaining clicks. If the database is unreachable, these clicks are lost. */
  stop(): Promise<void>;
  /** Number of clicks that could not be stored. The visitors were redirected, but these clicks are never counted. */
  lost(): number;
  /** Sets whether the database has no room for more clicks. New clicks are then lost. */
  setFull(isFull: boolean): void;
}

export interface ClickWriterServices {
  clicks: Pick<ClickStore, 'add'>;
  /** Random id of this process. */
  process: string;
  clock: Clock;
  log: Log;
}

/** Maximum time in milliseconds for which a redirect waits until its click is stored. */
const MAX_WAIT_MS = 500;

/** Maximum number of clicks in memory while the database is unreachable (about 15 MB). Further clicks are lost. */
export const MAX_CLICKS_IN_MEMORY = 50_000;

/** Maximum number of clicks that are stored with one transaction. Long transactions would block other writers. */
const MAX_CLICKS_PER_BATCH = 1000;

/** Delay in milliseconds before clicks are sent to an unreachable database again. */
const RETRY_DELAY_MS = 250;

/**
 * Minimum time in milliseconds between two log lines about lost clicks. On a full disk, thousands of clicks per second
 * can be lost.
 */
const LOG_INTERVAL_MS = 10_000;

/** True if the database may accept the same clicks later. */
function isUnreachable(error: unknown): boolean {
  return error instanceof StoreUnavailable && !(error instanceof StoreFull);
}

/**
 * Collects clicks and stores them, one batch at a time. Clicks that are added while a batch is being stored form the
 * next batch. If the database is unreachable, the same batch is sent again until the database responds.
 */
export function createClickWriter({ clicks, process, clock, log }: ClickWriterServices): ClickWriter {
  let added: WaitingClick[] = [];
  const waiting: { clicks: WaitingClick[]; done: () => void }[] = [];
  let size = 0;
  let number = 0;
  let lost = 0;
  let isFull = false;
  /** True if the last attempt failed or takes too long. Redirects then do not wait until an attempt succeeds. */
  let isAway = false;
  let isStopping = false;
  let writing: Promise<void> | null = null;
  const losses = createThrottledLog(LOG_INTERVAL_MS, (clicks, error) =>
    log('error', 'visitors were redirected, but their clicks could not be stored', { clicks, error }),
  );

  function lose(clicks: number, error: unknown): void {
    lost += clicks;
    losses.add(clicks, error);
  }

  function add(click: WaitingClick): void {
    if (isFull || size >= MAX_CLICKS_IN_MEMORY) {
      lose(1, new Error('Too many clicks wait to be stored or counted.'));
      return;
    }
    size += 1;
    added.push(click);
  }

  async function commit(): Promise<void> {
    if (added.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ clicks: added, done: resolve });
    added = [];
    writing ??= writeAll();
    if (isAway) return;
    const timer = setTimeout(() => {
      isAway = true;
      resolve();
    }, MAX_WAIT_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  async function writeAll(): Promise<void> {
    let failure: unknown = null;
    while (waiting.length > 0) {
      // After one failure while this process is stopping, the remaining clicks are lost without another attempt.
      const isLost = isStopping && isUnreachable(failure);
      const next = isLost ? waiting.splice(0) : takeBatch();
      const batch = next.flatMap(({ clicks }) => clicks);
      number += 1;
      if (!isLost) failure = await write(batch);
      if (failure !== null) lose(batch.length, failure);
      size -= batch.length;
      for (const { done } of next) done();
    }
    writing = null;
  }

  function takeBatch(): typeof waiting {
    let sum = 0;
    const end = waiting.findIndex((some) => {
      sum += some.clicks.length;
      return sum > MAX_CLICKS_PER_BATCH;
    });
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end));
  }

  /**
   * Stores a batch. While the database is unreachable, sends the batch again, unless this process is stopping. Returns
   * the error if the clicks are lost.
   */
  async function write(batch: WaitingClick[]): Promise<unknown> {
    for (;;) {
      try {
        await clicks.add({ process, number, clicks: withoutOldVisitors(batch) });
        isAway = false;
        return null;
      } catch (error) {
        if (isStopping || !isUnreachable(error)) return error;
        isAway = true;
        for (const { done } of waiting) done();
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref());
    }
  }

  /** Removes the visitor hashes of past days, because the database no longer contains hashes of these days. */
  function withoutOldVisitors(batch: WaitingClick[]): WaitingClick[] {
    const today = dayOf(clock());
    if (batch.every(({ at }) => dayOf(at) >= today)) return batch;
    return batch.map((click) => (dayOf(click.at) < today ? { ...click, visitor: null } : click));
  }

  return {
    add,
    commit,
    async stop() {
      isStopping = true;
      await commit();
      await writing;
      losses.flush();
    },
    lost: () => lost,
    setFull(value) {
      isFull = value;
    },
  };
}
