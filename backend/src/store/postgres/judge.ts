import { KEPT_FOR } from '../../domain/idempotency.ts';
import { charge, type LimitState, report } from '../../domain/limits.ts';
import type { Answer, Outcome, Submission } from '../store.ts';

/** An answer as it was kept for an idempotency key. */
export interface KeptAnswer extends Answer {
  fingerprint: Uint8Array;
  createdAt: number;
}

/** What is to become of a submission: an outcome, or null for one whose links are to be made, and the limits after it. */
export interface Judgement {
  outcome: Outcome | null;
  state: LimitState;
  limits: Outcome['limits'];
}

/** A replay, or a refusal that leaves nothing to remember; null for a submission that something is to be written for. */
export function judgeFree({ limits, now, idempotency }: Submission, state: LimitState, kept: KeptAnswer | undefined) {
  if (isLive(kept, now) && idempotency && Buffer.compare(kept.fingerprint, idempotency.fingerprint) === 0) {
    const { status, body, location } = kept;
    return { kind: 'replayed' as const, answer: { status, body, location }, limits: report(limits, state, now) };
  }
  const verdict = charge(limits, state, now);
  if (verdict.refusedBy === null || verdict.state !== state) return null;
  return { kind: 'refused' as const, by: verdict.refusedBy, limits: verdict.report };
}

/** Judges a submission by a state that nobody else can change meanwhile. */
export function judge(submission: Submission, before: LimitState, kept: KeptAnswer | undefined): Judgement {
  const free = judgeFree(submission, before, kept);
  if (free) return { outcome: free, state: before, limits: free.limits };
  const { refusedBy, state, report: limits } = charge(submission.limits, before, submission.now);
  if (refusedBy) return { outcome: { kind: 'refused', by: refusedBy, limits }, state, limits };
  return { outcome: isLive(kept, submission.now) ? { kind: 'reused', limits } : null, state, limits };
}

function isLive(kept: KeptAnswer | undefined, now: number): kept is KeptAnswer {
  return kept !== undefined && kept.createdAt > now - KEPT_FOR;
}
