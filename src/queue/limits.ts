import type { Limits as ReportedLimits } from '@terse/contract';
import { capabilitiesOf } from '../servers/capabilities.ts';
import type { Connection, Limits, Queue, Request } from './types.ts';

/*
 * The limits of one API key. If the server reports what is left of the quota, this count, less the sends since, applies
 * until its reset. Otherwise, the extension counts its own sends in the last 25 hours. All times follow the computer's
 * clock. If the user sets the clock forward, the server may refuse a send, and the queue waits.
 */

/** Default daily quota, in HTTP requests. */
const DAY_LIMIT = 20;

const DAY_MS = 24 * 3_600_000;

/** Time for which a send counts against the daily quota: the length of the day on which daylight saving time ends. */
export const SAFE_DAY_MS = 25 * 3_600_000;

/** A send that started less than this time before the quota was reset may have reached the server after the reset. */
const RESET_DOUBT_MS = 30_000;

/**
 * Maximum number of recorded sends, and maximum value of a limit that the user sets. For a larger quota, the extension
 * relies on the server.
 */
export const MAX_OWN_LIMIT = 2_000;

/** Maximum number of times that a request is sent automatically per day, so that it cannot use up the whole quota. */
const AUTOMATIC_SENDS_PER_DAY = 3;

/** Maximum number of sends without a response. After that, the user decides whether the request is sent again. */
export const MAX_SENDS = 6;

/** Delay after the quota is used up, if the server did not report when the quota resets. */
export const QUOTA_DELAY_MS = 3_600_000;

const FIRST_DELAY_MS = 3_000;
const DELAY_FACTOR = 10;
const MAX_DELAY_MS = 5 * 60_000;

/** Daily limit of a server without a quota. It is a number, so that it can be stored like other limits. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** True if the limit means that the server has no daily quota. */
export function isUnlimited(perDay: number): boolean {
  return perDay === UNLIMITED;
}

export function newLimits(): Limits {
  return { gapMs: 1_000, perDay: DAY_LIMIT, reported: null, sends: [] };
}

/** Returns the number of sends that the quota still allows. */
export function remaining(limits: Limits, now: number): number {
  const { perDay, reported } = limits;
  if (reported && now < reported.resetAt) return reported.remaining;
  return Math.max(0, perDay - countedSends(limits, now).length);
}

/** Returns the time at which the quota allows one more send. Returns null if the quota is completely unused. */
export function nextUnitAt(limits: Limits, now: number): number | null {
  const { perDay, reported } = limits;
  if (remaining(limits, now) >= perDay) return null;
  if (reported && now < reported.resetAt) return reported.resetAt;
  return Math.min(...countedSends(limits, now)) + SAFE_DAY_MS;
}

/** Counts a send against the quota. */
export function recordSend(limits: Limits, now: number): Limits {
  const { reported, sends } = limits;
  return {
    ...limits,
    reported: reported && { ...reported, remaining: Math.max(0, reported.remaining - 1) },
    sends: [...sends.filter((at) => at + SAFE_DAY_MS > now), now].slice(-MAX_OWN_LIMIT),
  };
}

/**
 * Returns the sends that count against the quota if the server reports none. Sends before the last known reset do not
 * count.
 */
function countedSends({ reported, sends, perDay }: Limits, now: number): number[] {
  if (perDay > MAX_OWN_LIMIT) return [];
  const countedFrom = reported ? reported.resetAt - RESET_DOUBT_MS : 0;
  return sends.filter((at) => at + SAFE_DAY_MS > now && at >= countedFrom);
}

/** Updates limits from the `RateLimit` fields of a response. */
export function applyReportedLimits(limits: Limits, { throttle, quota }: ReportedLimits, now: number): Limits {
  const gapMs = throttle ? Math.ceil((throttle.windowSeconds * 1_000) / throttle.limit) : limits.gapMs;
  if (!quota) return { ...limits, gapMs };
  const { limit, remaining, resetSeconds } = quota;
  const isCounted = remaining !== null && resetSeconds !== null;
  const reported = isCounted ? { remaining, resetAt: now + resetSeconds * 1_000 } : null;
  return { ...limits, gapMs, perDay: limit, reported };
}

/**
 * Applies the user's own limits to a server that reports none. If the user has set no limits either, requests are
 * sent one after the other without a pause.
 */
export function withOwnLimits(limits: Limits, connection: Connection): Limits {
  if (capabilitiesOf(connection).ownApi) {
    // An unlimited quota was set before the extension knew that this server has limits, so it is replaced.
    return isUnlimited(limits.perDay) ? { ...newLimits(), sends: limits.sends } : limits;
  }
  const { perSecond = null, perDay = null } = connection.limits ?? {};
  return {
    ...limits,
    gapMs: perSecond === null ? 0 : Math.ceil(1_000 / perSecond),
    perDay: perDay === null ? UNLIMITED : Math.min(perDay, MAX_OWN_LIMIT),
    reported: null,
  };
}

/**
 * Returns the delay in milliseconds after a number of consecutive failures: about 3 seconds, 30 seconds, and then
 * 5 minutes.
 *
 * @param failures at least 1
 * @param random number in [0, 1) that shortens the delay by up to half, so that many browsers do not retry at the
 * same moment
 */
export function backoff(failures: number, random: number): number {
  return Math.round(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * DELAY_FACTOR ** (failures - 1)) * (0.5 + random / 2));
}

/** Returns the delay before a request is sent again. After every third send, the request waits for the next day. */
export function retryDelay(attempts: number, random: number): number {
  if (attempts === 0) return 0;
  const sendsToday = attempts % AUTOMATIC_SENDS_PER_DAY;
  return sendsToday === 0 ? SAFE_DAY_MS : backoff(sendsToday, random);
}

/**
 * Corrects a queue after the computer's clock was set back, which may be by less than a second. Past times are at most
 * `now`, waits for the server keep their length, other waits have at most their usual length, and a guessed delay of the
 * whole queue ends. The next step then reads the service document, which shows whether the server is reachable. Returns
 * the same queue if the clock was not set back.
 */
export function correctTimes(queue: Queue, now: number): Queue {
  const { connection, state, limits, requests } = queue;
  const { serviceReadAt, lastSeenWellAt } = connection;
  const { lastEndedAt, wait } = state;
  const { reported } = limits;
  const setBackMs = Math.max(0, ...[lastEndedAt, serviceReadAt, lastSeenWellAt].map((at) => (at ?? 0) - now));
  const retryAt = (request: Request) =>
    request.retryAt && Math.min(request.retryAt, now + Math.max(MAX_DELAY_MS, retryDelay(request.attempts, 1)));
  const isTooLong = (wait?.until ?? 0) > now + DAY_MS || requests.some((one) => retryAt(one) !== one.retryAt);
  if (setBackMs === 0 && !isTooLong) return queue;
  const past = (at: number) => Math.min(at, now);
  const future = (at: number) => Math.min(at - setBackMs, now + DAY_MS);
  return {
    connection: { ...connection, serviceReadAt: null, lastSeenWellAt: lastSeenWellAt && past(lastSeenWellAt) },
    state: {
      ...state,
      lastEndedAt: lastEndedAt && past(lastEndedAt),
      wait: wait?.named ? { ...wait, until: future(wait.until) } : null,
    },
    limits: {
      ...limits,
      reported: reported && { ...reported, resetAt: future(reported.resetAt) },
      sends: limits.sends.map(past),
    },
    requests: requests.map(({ sent, ...request }) => ({
      ...request,
      // The look-up of a link that the server may still create must not come earlier.
      retryAt: retryAt(request),
      ...(sent && { sent: { ...sent, firstAt: past(sent.firstAt), lastAt: past(sent.lastAt) } }),
    })),
  };
}
