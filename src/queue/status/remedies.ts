import type { BlockReason, Queue } from '../types.ts';
import type { RequestStatus, WaitReason } from './request-status.ts';

/** Action with which the user can continue a request or a queue. */
export type Remedy = 'allow' | 'replace_key' | 'open_options' | 'resume' | 'try_now' | 'retry' | 'send_again';

/** Remedies for each reason why a request waits or ended. The first remedy is the best one. */
const REMEDIES: Record<WaitReason | 'sending' | 'failed' | 'uncertain', readonly Remedy[]> = {
  sending: [],
  queued: [],
  throttle: [],
  quota: [],
  offline: [],
  paused: ['resume'],
  unreachable: ['try_now'],
  busy: ['try_now'],
  delayed: ['retry'],
  // The extension cannot detect that the server accepts the key again or that it works again, so the user can try.
  unauthorized: ['replace_key', 'try_now'],
  forbidden: ['replace_key', 'try_now'],
  not_a_service: ['open_options', 'try_now'],
  redirected: ['open_options', 'try_now'],
  key_missing: ['open_options'],
  permission: ['allow'],
  failed: ['retry'],
  uncertain: ['send_again'],
};

/** Returns the remedies for a request. Empty if the request only has to wait. */
export function remediesOf(status: RequestStatus): readonly Remedy[] {
  if (!('reason' in status)) return REMEDIES[status.kind];
  const isNamed = (status.reason === 'unreachable' || status.reason === 'busy') && !status.guessed;
  // The user cannot end a wait that the server requested.
  return isNamed ? [] : REMEDIES[status.reason];
}

/** Returns the remedies for a whole queue. Empty if nothing prevents sending. */
export function queueRemedies({ state }: Pick<Queue, 'state'>): readonly Remedy[] {
  if (state.paused) return REMEDIES.paused;
  if (state.blocked !== null) return REMEDIES[state.blocked];
  return state.wait && !state.wait.named ? REMEDIES[state.wait.reason] : [];
}

/** Returns the remedies for a blocked queue. */
export function blockRemedies(blocked: BlockReason): readonly Remedy[] {
  return REMEDIES[blocked];
}
