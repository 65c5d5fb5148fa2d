import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFull, StoreUnavailable } from '../store.ts';
import { type Deadline, NO_DEADLINE } from './deadlines.ts';
import { type Fault, faultOf, isDiskFull } from './faults.ts';

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
