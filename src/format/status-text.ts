import type { PrivateResult, RefusalCode } from '../messages/protocol.ts';
import { isFaulty, type ListedRequest, lastSendAt, type RequestStatus, type WaitReason } from '../queue/status.ts';
import type { Problem, Queue } from '../queue/types.ts';
import type { ServiceProblem } from '../servers/adapter.ts';
import type { NotShortenable } from '../urls/shortenable-url-rules.ts';
import { t } from './i18n.ts';
import { formatDateTime, formatDuration } from './relative-time.ts';

/** Wait reasons whose message can include the end time of the wait (`wait_<reason>_at`). */
const TIMED = ['throttle', 'quota', 'unreachable', 'busy', 'delayed'] as const;

/** Codes that `isBlocked` recognizes. They are listed here because TypeScript types do not exist at run time. */
const BLOCKED: Record<Exclude<NotShortenable, RefusalCode>, true> = {
  unknown: true,
  browser: true,
  extension: true,
  file: true,
  scheme: true,
  email: true,
  not_a_url: true,
  too_long: true,
};

function problemMessage({ code }: Problem): string {
  return t(`problem_${code}`);
}

/** Returns the reason why a request from a private window created no link. */
export function privateProblemMessage({ problem, isUncertain }: Exclude<PrivateResult, { link: unknown }>): string {
  return isUncertain ? t('uncertain') : problemMessage(problem);
}

/** Returns the message for a URL that cannot be shortened, or for a command that the background worker refused. */
export function notShortenableMessage(code: RefusalCode | NotShortenable): string {
  return isBlocked(code) ? t(`blocked_${code}`) : t(`refusal_${code}`);
}

/** Codes that are not in `BLOCKED` but also mean that a URL is not accepted. */
const UNACCEPTED = ['not_shortenable', 'no_address', 'own_short_link', 'target_refused', 'invalid_url', 'refused'];

/** True if submitting the same URL again would fail, so the user should edit the URL. */
export function needsOtherUrl(code: string): boolean {
  return Object.hasOwn(BLOCKED, code) || UNACCEPTED.includes(code);
}

/** Returns the status message of a request. The message also explains why a request is waiting or has failed. */
export function statusMessage(status: RequestStatus, problem: Problem | null, now: number): string {
  switch (status.kind) {
    case 'sending':
      return t('sending');
    case 'waiting':
      if (status.reason === 'delayed' && status.at !== null && problem?.code === 'gateway_refused')
        return t('wait_gateway_refused_at', formatDateTime(status.at, now));
      return waitSentence(shownReason(status.reason, problem), status.at, now);
    case 'unknown':
      if (!isAnswerPending(status, problem)) return waitSentence(status.reason, status.at, now);
      return status.reason === 'delayed' && status.at !== null
        ? t('unknown_at', formatDateTime(status.at, now))
        : t('unknown');
    case 'uncertain':
      return t('uncertain');
    case 'failed':
      return problem ? problemMessage(problem) : t('failed');
  }
}

/**
 * Returns the status text for screen readers. The text contains no times, because a screen reader would read every
 * change aloud.
 */
export function statusAnnounced(status: RequestStatus, problem: Problem | null): string {
  if (status.kind === 'waiting') return t(`wait_${shownReason(status.reason, problem)}`);
  if (status.kind === 'unknown') return t(isAnswerPending(status, problem) ? 'unknown' : `wait_${status.reason}`);
  return statusMessage(status, problem, 0);
}

/** Returns the status message for a row of a list, with a short form for requests that wait for quota. */
export function statusInList(status: RequestStatus, problem: Problem | null, now: number): string {
  const isQuota = status.kind === 'waiting' && status.reason === 'quota' && status.at !== null;
  return isQuota ? t('waitQuotaInList', formatDateTime(status.at ?? now, now)) : statusMessage(status, problem, now);
}

/** Returns the reason that a message names. A server that limits a single request is busy, not broken. */
function shownReason(reason: WaitReason, problem: Problem | null): WaitReason {
  const isLimited = problem?.code === 'throttled' || problem?.code === 'busy';
  return reason === 'delayed' && isLimited ? 'busy' : reason;
}

function waitSentence(reason: WaitReason, at: number | null, now: number): string {
  const timed = TIMED.find((one) => one === reason);
  return at === null || !timed ? t(`wait_${reason}`) : t(`wait_${timed}_at`, formatDateTime(at, now));
}

/** True if a sent request waits only for its next look-up or send, and no problem is known. */
export function isAnswerPending(status: RequestStatus, problem: Problem | null): boolean {
  if (status.kind !== 'unknown') return false;
  return ['queued', 'throttle', 'delayed'].includes(status.reason) && !isFaulty(status, problem);
}

function isBlocked(code: RefusalCode | NotShortenable): code is Exclude<NotShortenable, RefusalCode> {
  return code in BLOCKED;
}

/** Units of an estimate in seconds, and the largest number of seconds for which each is used. */
const UNITS = [
  [1, 90],
  [60, 90 * 60],
  [3_600, 36 * 3_600],
  [86_400, Number.POSITIVE_INFINITY],
] as const;

/** Returns a sentence that estimates when all these requests of a queue will be sent. Empty if the time is unknown. */
export function estimateMessage(queue: Queue, requests: ListedRequest[], now: number): string {
  const at = lastSendAt(queue, new Set(requests.map(({ request }) => request.id)), now);
  if (at === null) return '';
  const seconds = Math.max(1, Math.ceil((at - now) / 1000));
  const [unit] = UNITS.find(([, limit]) => seconds <= limit) ?? [1];
  return t('estimateNow', formatDuration(Math.ceil(seconds / unit) * unit));
}

/**
 * Returns the error message for a failed call to a shortening service, with advice for the user.
 * @param name display name of the connection
 * @param asked the operation that was requested; the message may name the permission for it
 */
export function serviceProblemMessage(problem: ServiceProblem, name: string, asked: 'read' | 'manage'): string {
  switch (problem) {
    case 'no_connection':
      return t('refusal_no_connection');
    case 'permission':
    case 'unauthorized':
    case 'redirected':
      return t(`block_${problem}`, name);
    case 'forbidden':
      return t(asked === 'read' ? 'serviceForbiddenRead' : 'serviceForbiddenManage', name);
    case 'cannot_list':
      return t('historyCannotList', name);
    case 'gone':
      return t('serviceGone', name);
    case 'throttled':
      return t('serviceThrottled', name);
    case 'unreachable':
      return t('serviceUnreachable', name);
    case 'not_understood':
      return t('serviceNotUnderstood', name);
    case 'refused':
      return t('serviceRefused', name);
  }
}
