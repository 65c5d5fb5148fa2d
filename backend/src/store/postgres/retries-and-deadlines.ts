import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { StoreFull, StoreTimeout, StoreUnavailable } from '../interface/store.ts';
import { type Fault, faultOf, isDiskFull } from './postgres-errors.ts';

/** How long an operation may take, all its attempts together, in milliseconds. */
export interface Deadlines {
  read: number;
  write: number;
}

export const DEADLINES: Readonly<Deadlines> = Object.freeze({ read: 2000, write: 5000 });

/** The instant by which an operation is given up, however many steps and attempts it has. */
export interface Deadline {
  /** Waits for one step; what comes of it after the deadline is ignored. @throws StoreOverdue */
  wait<Result>(step: Promise<Result>): Promise<Result>;
  /** The same for a connection, which goes back to the pool where it comes too late. */
  connection(pool: Pool): Promise<PoolClient>;
}

/** For what may take as long as it takes, such as a step of the schema. */
export const NO_DEADLINE: Deadline = { wait: (step) => step, connection: (pool) => pool.connect() };

/**
 * Runs an operation against a deadline: a server that accepts and then says nothing would have it wait for minutes.
 *
 * @throws StoreOverdue
 */
export async function withDeadline<Result>(
  milliseconds: number,
  operation: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const giveUps = new Set<(error: StoreTimeout) => void>();
  const timer = setTimeout(() => {
    isOver = true;
    const error = new StoreTimeout();
    for (const giveUp of giveUps) giveUp(error);
  }, milliseconds);

  async function wait<Step>(step: Promise<Step>): Promise<Step> {
    const { promise, resolve, reject } = Promise.withResolvers<Step>();
    giveUps.add(reject);
    if (isOver) reject(new StoreTimeout());
    step.then(resolve, reject);
    try {
      return await promise;
    } finally {
      giveUps.delete(reject);
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

/** Tries of one operation, and the pauses between them in milliseconds: doubled each time, up to the longest. */
const MOST_ATTEMPTS = 10;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 200;

/**
 * Runs an operation again while its fault is one of `again`, after pauses of random length, so that rivals spread out.
 *
 * @throws StoreUnavailable where the database cannot be reached, or its conflicts did not end
 */
export async function attempts<Result>(
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
      if (attempt === MOST_ATTEMPTS || !again.includes(fault))
        throw isDiskFull(error) ? new StoreFull(error) : new StoreUnavailable(error);
      await deadline.wait(sleep(Math.random() * Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE)));
    }
  }
}
