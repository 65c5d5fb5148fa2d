import type { PrivateResult, RefusalCode } from '../messages/protocol.ts';
import { isFaulty, type ListedRequest, lastSendAt, type RequestStatus, type WaitReason } from '../queue/status.ts';
import type { Problem, Queue } from '../queue/types.ts';
import type { ServiceProblem } from '../servers/adapter.ts';
import type { NotShortenable } from '../urls/shortenable-url-rules.ts';
import { type MessageKey, t } from './i18n.ts';
import { formatDateTime, formatDuration } from './relative-time.ts';

/** Wait reasons whose message can include the end time of the wait (`wait_<reason>_at`). */
const TIMED = ['throttle', 'quota', 'unreachable', 'busy', 'delayed'] as const;

/** Reasons against a URL that have a message of their own, `blocked_<reason>`. */
const BLOCKED = [
  'unknown',
  'loading',
  'browser',
  'extension',
  'file',
  'scheme',
  'email',
  'not_a_url',
  'too_long',
] as const;

/** Codes of refusals and problems that also mean that a URL is not accepted. */
const UNACCEPTED = [
  'not_shortenable',
  'no_address',
  'own_short_link',
  'target_refused',
  'url_too_long',
  'invalid_url',
  'refused',
];

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

/** True if submitting the same URL again would fail, so the user should edit the URL. */
export function needsOtherUrl(code: string): boolean {
  return isBlocked(code) || UNACCEPTED.includes(code);
}

/** Returns the status message of a request. The message also explains why a request is waiting or has failed. */
export function statusMessage(status: RequestStatus, problem: Problem | null, now: number): string {
  switch (status.kind) {
    case 'waiting':
      if (status.reason === 'delayed' && status.at !== null && problem?.code === 'gateway_refused')
        return t('wait_gateway_refused_at', formatDateTime(status.at, now));
      return waitSentence(shownReason(status.reason, problem), status.at, now);
    case 'unknown':
      if (!isAnswerPending(status, problem)) return waitSentence(status.reason, status.at, now);
      return status.reason === 'delayed' && status.at !== null
        ? t('unknown_at', formatDateTime(status.at, now))
        : t('unknown');
    case 'failed':
      return problem ? problemMessage(problem) : t('failed');
    default:
      return t(status.kind);
  }
}

/**
 * Returns the status text for screen readers. The text contains no times, because a screen reader would read every
 * change aloud.
 */
export function statusAnnounced(status: RequestStatus, problem: Problem | null): string {
  return statusMessage('at' in status ? { ...status, at: null } : status, problem, 0);
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

function isBlocked(code: string): code is (typeof BLOCKED)[number] {
  return (BLOCKED as readonly string[]).includes(code);
}

/** Units of an estimate in seconds. The largest unit is used that the rest fills one and a half times. */
const UNITS = [86_400, 3_600, 60];

/** Returns a sentence that estimates when all these requests of a queue will be sent. Empty if the time is unknown. */
export function estimateMessage(queue: Queue, requests: ListedRequest[], now: number): string {
  const at = lastSendAt(queue, new Set(requests.map(({ request }) => request.id)), now);
  if (at === null) return '';
  const seconds = Math.max(1, Math.ceil((at - now) / 1000));
  const unit = UNITS.find((one) => seconds > one * 1.5) ?? 1;
  return t('estimateNow', formatDuration(Math.ceil(seconds / unit) * unit));
}

/** Messages about failed calls to a server. The placeholder is the name of the connection. */
const SERVICE_PROBLEMS: Record<ServiceProblem, MessageKey> = {
  no_connection: 'refusal_no_connection',
  permission: 'block_permission',
  unauthorized: 'block_unauthorized',
  redirected: 'block_redirected',
  forbidden: 'serviceForbiddenRead',
  cannot_list: 'historyCannotList',
  gone: 'serviceGone',
  throttled: 'serviceThrottled',
  unreachable: 'serviceUnreachable',
  not_understood: 'serviceNotUnderstood',
  refused: 'serviceRefused',
};

/**
 * Returns the error message for a failed call to a shortening service, with advice for the user.
 * @param name display name of the connection
 * @param asked the operation that was requested; the message may name the permission for it
 */
export function serviceProblemMessage(problem: ServiceProblem, name: string, asked: 'read' | 'manage'): string {
  const mayNotChange = problem === 'forbidden' && asked === 'manage';
  return t(mayNotChange ? 'serviceForbiddenManage' : SERVICE_PROBLEMS[problem], name);
}
