import { nextUnitAt, remaining } from './budget.ts';
import { type Action, isNext, nextAction, openAttempt } from './next.ts';
import type { Request, Snapshot, Time } from './types.ts';

/** What a request can be waiting for; each has a sentence in `_locales` under `wait_<reason>`. */
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

/** Where a request stands, for people: what it waits for, and until when where that is known. */
export type Standing =
  | { kind: 'sending' }
  | ({ kind: 'waiting' } & Wait)
  /** It may have been created: the person decides. */
  | { kind: 'undecided' }
  /** No answer came; it is sent again by itself, safely. `reason` says what that waits for. */
  | ({ kind: 'resending' } & Wait)
  | { kind: 'failed' };

interface Wait {
  reason: WaitReason;
  /** When it goes on; null: as soon as the reason ends. */
  at: number | null;
  /** Nobody told that time: the person may try before. */
  guessed?: true;
}

/** Says where a request stands in its queue. Pure, so that pages tell the same story as the worker acts on. */
export function standingOf(request: Request, snapshot: Snapshot, time: Time, online: boolean): Standing {
  if (request.state === 'sending' || request.state === 'failed') return { kind: request.state };
  const action = nextAction(snapshot, time, { online, reachedAt: time.now });
  if (request.state === 'unknown') {
    const repeats = openAttempt(snapshot)?.requestIds.includes(request.id);
    return repeats ? { kind: 'resending', ...waitOf(action, snapshot) } : { kind: 'undecided' };
  }
  // The throttle lets one pass at a time: its end is the end of the wait only for whoever is next.
  const paced = action.kind === 'wait' && action.reason === 'throttle';
  if (paced && !isNext(request, snapshot)) return { kind: 'waiting', reason: 'turn', at: null };
  return { kind: 'waiting', ...waitOf(action, snapshot) };
}

/** A request that only the person can move on: it failed, is unknown and nothing will repeat it, or the queue halts. */
export function needsPerson(snapshot: Pick<Snapshot, 'queue' | 'connection'>): (request: Request) => boolean {
  const halted = snapshot.queue.halt !== null;
  const repeating = openAttempt(snapshot)?.requestIds ?? [];
  return ({ id, state }) =>
    state === 'failed' || (state === 'unknown' && !repeating.includes(id)) || (halted && state !== 'sending');
}

/** What is left of the quota; null without a connection. `moreAt`: when the next unit comes back, if any is spent. */
export function quotaLeft({ budget }: Snapshot, time: Time): QuotaLeft | null {
  if (!budget) return null;
  const left = remaining(budget, time);
  return { left, limit: budget.quota.limit, moreAt: nextUnitAt(budget, time) };
}

export interface QuotaLeft {
  left: number;
  limit: number;
  moreAt: number | null;
}

function waitOf(action: Action, { queue }: Snapshot): Wait {
  if (action.kind === 'held') return { reason: action.reason, at: null };
  if (action.kind !== 'wait') return { reason: 'turn', at: null };
  const { reason, until } = action;
  const guessed = (reason === 'unreachable' || reason === 'busy') && !queue.pause?.told;
  return { reason, at: until, ...(guessed ? { guessed } : {}) };
}
