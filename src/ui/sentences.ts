import type { RefusalCode } from '../messages/messages.ts';
import type { Standing, WaitReason } from '../queue/standing.ts';
import type { Problem } from '../queue/types.ts';
import { t } from './strings.ts';
import { when } from './when.ts';

/** Waits that end at a known time have a sentence that tells it, under `wait_<reason>_at`. */
const TIMED = ['throttle', 'quota', 'unreachable', 'busy'] as const;

export function problemSentence({ code }: Problem): string {
  return t(`problem_${code}`);
}

export function refusalSentence(code: RefusalCode): string {
  return t(`refusal_${code}`);
}

/** Where a request stands, in one sentence. `limit` is the quota's, for "20 of 20 used". */
export function standingSentence(
  standing: Standing,
  problem: Problem | null,
  limit: number,
  now: number,
  locale?: string,
): string {
  switch (standing.kind) {
    case 'sending':
      return t('sending');
    case 'waiting':
      return waitSentence(standing.reason, standing.at, limit, now, locale);
    case 'resending':
      return `${t('resending')} ${waitSentence(standing.reason, standing.at, limit, now, locale)}`;
    case 'undecided':
      return t('undecided');
    case 'failed':
      return problem ? problemSentence(problem) : t('failed');
  }
}

/** The same, for a row of the queue: the budget says by itself that it is used up. `next`: the row is the next to go. */
export function standingInShort(standing: Standing, problem: Problem | null, next: boolean, now: number): string {
  if (standing.kind !== 'waiting' || standing.reason !== 'quota' || standing.at === null) {
    return standingSentence(standing, problem, 0, now);
  }
  return next ? t('wait_throttle_at', when(standing.at, now)) : t('wait_turn');
}

function waitSentence(reason: WaitReason, at: number | null, limit: number, now: number, locale?: string): string {
  const timed = TIMED.find((one) => one === reason);
  if (at === null || !timed) return t(`wait_${reason}`);
  const moment = when(at, now, locale);
  return timed === 'quota' ? t('wait_quota_at', limit.toLocaleString(locale), moment) : t(`wait_${timed}_at`, moment);
}
