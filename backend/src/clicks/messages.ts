import type { DatabaseAddress } from '../store/open.ts';

/** What the counting thread is started with. */
export interface ThreadData {
  database: DatabaseAddress;
  directory: string;
  /** The database's own. */
  identity: string;
  /** The journal of this process, which is being written. */
  journal: string;
  /** Whether the engine takes one writer at a time, so that the write lock must be asked for. */
  needsLock: boolean;
}

export type ToThread =
  /** The write lock that was asked for. */
  | { type: 'lock-granted' }
  /** Count what there is by now, also what dead processes left, and say when it is done. */
  | { type: 'count'; id: number }
  /** End; where `finish` says so, count this process's journal to its end before, and remove it. */
  | { type: 'stop'; finish: boolean };

export type FromThread =
  | { type: 'lock-wanted' }
  | { type: 'lock-released' }
  | { type: 'removed'; bytes: number }
  | { type: 'counted'; id: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };
