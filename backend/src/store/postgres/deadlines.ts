import type { Pool, PoolClient } from 'pg';
import { StoreOverdue } from '../store.ts';

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
  const giveUps = new Set<(error: StoreOverdue) => void>();
  const timer = setTimeout(() => {
    isOver = true;
    const error = new StoreOverdue();
    for (const giveUp of giveUps) giveUp(error);
  }, milliseconds);

  async function wait<Step>(step: Promise<Step>): Promise<Step> {
    const { promise, resolve, reject } = Promise.withResolvers<Step>();
    giveUps.add(reject);
    if (isOver) reject(new StoreOverdue());
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
