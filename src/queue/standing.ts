import type { Request, Snapshot, Time } from './types.ts';

/** Where a request stands, for people: what it waits for, and until when where that is known. */
export type Standing =
  | { kind: 'sending' }
  /** Sends at `at`; `reason` says what it waits for. `null`: as soon as the reason ends. */
  | { kind: 'waiting'; reason: WaitReason; at: number | null }
  /** It may have been created: the person decides. */
  | { kind: 'undecided' }
  /** No answer came; it is sent again by itself, safely, at `at`. */
  | { kind: 'resending'; at: number | null }
  | { kind: 'failed' };

export type WaitReason =
  | 'turn'
  | 'throttle'
  | 'quota'
  | 'offline'
  | 'unreachable'
  | 'busy'
  | 'no_connection'
  | 'unauthorized'
  | 'not_a_service'
  | 'redirected'
  | 'permission';

export declare function standingOf(request: Request, snapshot: Snapshot, time: Time, online: boolean): Standing;

/** What is left of the quota: null without a connection. `moreAt` is when the next unit comes back, if any is spent. */
export declare function quotaLeft(
  snapshot: Snapshot,
  time: Time,
): { left: number; limit: number; moreAt: number | null } | null;
