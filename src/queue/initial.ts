import { freshBudget } from './budget.ts';
import type { Connection, LinkOptions, Queue, QueueState } from './types.ts';

/** The state of a queue that nothing was ever sent from. */
export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  pause: null,
  failures: 0,
  probeDue: false,
  halt: null,
  latestTime: 0,
};

/** The queue of a connection that has just been added. */
export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, budget: freshBudget(), attempts: [], requests: [] };
}

/** The options of a request that asks for nothing beyond its URL. */
export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };
