import type { QueueState } from './types.ts';

/** The queue of an extension that has just been installed. */
export const EMPTY_QUEUE: QueueState = {
  attempt: null,
  lastEndedAt: null,
  pause: null,
  failures: 0,
  halt: null,
  lastSeen: 0,
};
