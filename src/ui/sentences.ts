import type { RefusalCode } from '../messages/messages.ts';
import type { RequestStatus, WaitReason } from '../queue/request-status.ts';
import type { Problem } from '../queue/types.ts';
import type { Blocked } from '../target/target.ts';
import { number, sentences, t } from './strings.ts';
import { when } from './when.ts';

/** Waits that end at a known time have a sentence that tells it, under `wait_<reason>_at`. */
const TIMED = ['throttle', 'quota', 'unreachable', 'busy', 'unprotected', 'parked'] as const;

/** Why an address cannot be shortened, where that is no refusal of the background's. */
const BLOCKED: Record<Exclude<Blocked, RefusalCode>, true> = {
  unknown: true,
  browser: true,
  extension: true,
  file: true,
  scheme: true,
  email: true,
  not_a_url: true,
  too_long: true,
};

export function problemSentence({ code }: Problem): string {
  return t(`problem_${code}`);
}

/** Why the background did nothing, or why there was nothing to ask it for. */
export function refusalSentence(code: RefusalCode | Blocked): string {
  return isBlocked(code) ? t(`blocked_${code}`) : t(`refusal_${code}`);
}

/** Where a request stands, in one sentence. `limit` is the quota's, for "20 of 20 used". */
export function statusSentence(
  status: RequestStatus,
  problem: Problem | null,
  limit: number,
  now: number,
  locale?: string,
): string {
  switch (status.kind) {
    case 'sending':
      return t('sending');
    case 'waiting':
      if (status.reason === 'parked' && status.at !== null && problem?.code === 'gateway_refused')
        return t('wait_gateway_refused_at', when(status.at, now, locale));
      return waitSentence(status.reason, status.at, limit, now, locale);
    case 'unanswered':
      return sentences(t('unanswered'), waitSentence(status.reason, status.at, limit, now, locale));
    case 'undecided':
      // Whatever was sent from here has come to something; what has not was imported.
      return t(problem ? 'undecided' : 'undecidedImported');
    case 'failed':
      return problem ? problemSentence(problem) : t('failed');
  }
}

/** The same for a screen reader, without times: a text that changes all the time is read all the time. */
export function statusAnnounced(status: RequestStatus, problem: Problem | null): string {
  if (status.kind === 'waiting') return t(`wait_${status.reason}`);
  if (status.kind === 'unanswered') return sentences(t('unanswered'), t(`wait_${status.reason}`));
  return statusSentence(status, problem, 0, 0);
}

/** The same, for a row of a list: the budget says by itself how much of it is used. */
export function statusInList(status: RequestStatus, problem: Problem | null, now: number): string {
  const isQuota = status.kind === 'waiting' && status.reason === 'quota' && status.at !== null;
  return isQuota ? t('waitQuotaInList', when(status.at ?? now, now)) : statusSentence(status, problem, 0, now);
}

function waitSentence(reason: WaitReason, at: number | null, limit: number, now: number, locale?: string): string {
  const timed = TIMED.find((one) => one === reason);
  if (at === null || !timed) return t(`wait_${reason}`);
  const moment = when(at, now, locale);
  return timed === 'quota' ? t('wait_quota_at', number(limit), moment) : t(`wait_${timed}_at`, moment);
}

function isBlocked(code: RefusalCode | Blocked): code is Exclude<Blocked, RefusalCode> {
  return code in BLOCKED;
}
