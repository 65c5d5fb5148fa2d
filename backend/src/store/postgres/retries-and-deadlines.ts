import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { StoreFull, StoreTimeout, StoreUnavailable } from '../interface/store.ts';
import { type Fault, faultOf, isDiskFull } from './postgres-errors.ts';

/** Maximum durations of database operations in milliseconds, including retries. */
export interface Deadlines {
  read: number;
  write: number;
}

export const DEADLINES: Readonly<Deadlines> = { read: 2000, write: 5000 };

export interface Deadline {
  /**
   * Waits for one step of an operation, but no longer than the deadline.
   *
   * @throws StoreTimeout after the deadline
   */
  wait<Result>(step: Promise<Result>): Promise<Result>;
  /** Waits for a free connection. If a connection becomes free after the deadline, it is returned to the pool. */
  connection(pool: Pool): Promise<PoolClient>;
}

export const NO_DEADLINE: Deadline = { wait: (step) => step, connection: (pool) => pool.connect() };

/**
 * Runs an operation with a deadline. Without a deadline, an unresponsive server could block the operation for
 * minutes.
 *
 * @throws StoreTimeout after the deadline
 */
export async function withDeadline<Result>(
  milliseconds: number,
  operation: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const rejections = new Set<(error: StoreTimeout) => void>();
  const timer = setTimeout(() => {
    isOver = true;
    const error = new StoreTimeout();
    for (const reject of rejections) reject(error);
  }, milliseconds);

  async function wait<Step>(step: Promise<Step>): Promise<Step> {
    const { promise, resolve, reject } = Promise.withResolvers<Step>();
    rejections.add(reject);
    if (isOver) reject(new StoreTimeout());
    step.then(resolve, reject);
    try {
      return await promise;
    } finally {
      rejections.delete(reject);
    }
  }

  async function connection(pool: Pool): Promise<PoolClient> {
    const connecting = pool.connect();
    return wait(connecting).catch((error) => {
      connecting.then(
        (late) => late.release(),
        () => {},
      );
      throw error;
    });
  }

  try {
    return await operation({ wait, connection });
  } finally {
    clearTimeout(timer);
  }
}

/** Maximum number of attempts. The next two constants determine the pauses between the attempts, in milliseconds. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE = 5;
const MAX_PAUSE = 200;

/**
 * Repeats an operation if it fails with one of the given kinds of errors. The pauses are random, so that two
 * conflicting transactions do not retry at the same time.
 *
 * @throws StoreUnavailable if the database is unreachable or the conflicts continue
 */
export async function withRetries<Result>(
  again: readonly Fault[],
  operation: () => Promise<Result>,
  deadline: Deadline = NO_DEADLINE,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const fault = faultOf(error);
      if (fault === 'other') throw error;
      if (attempt === MAX_ATTEMPTS || !again.includes(fault))
        throw isDiskFull(error) ? new StoreFull(error) : new StoreUnavailable(error);
      await deadline.wait(sleep(Math.random() * Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE)));
    }
  }
}
