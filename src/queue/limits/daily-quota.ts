import type { Queue, Quota, Request, Send, Time } from '../types.ts';

/*
 * The daily quota of one API key.
 * Changing the computer's clock must never refill the quota, so HTTP requests are recorded with the server's time.
 * The `Date` headers of responses report the server's time.
 * While the background script runs, the server time advances with the monotonic clock. After a restart, the server
 * time is only an estimate. If only this estimate allows another HTTP request, the extension first asks the server
 * for the time (`needsConfirmation`).
 * If a server does not report its time, the local clock is used.
 */

/**
 * Default daily quota, in HTTP requests. A day lasts 25 hours (`SAFE_DAY_MS`), like the day on which daylight saving
 * time ends.
 */
export const DAY_LIMIT = 20;
export const SAFE_DAY_MS = 25 * 3_600_000;
/**
 * Resolution of the `Date` header and of reset times. A time that is computed from both can be wrong by up to two
 * seconds.
 */
export const DATE_RESOLUTION_MS = 1_000;
const BORDER_DOUBT_MS = 2 * DATE_RESOLUTION_MS;
/** Maximum error of an estimated send time, in milliseconds. */
const ESTIMATE_DOUBT_MS = 30_000;
/** Maximum number of recorded HTTP requests. For a larger quota, the extension relies on the server's count. */
export const LEDGER_LIMIT = 2_000;

export function newQuota(): Quota {
  return {
    gapMs: 1_000,
    quota: { limit: DAY_LIMIT, windowMs: SAFE_DAY_MS },
    reported: null,
    sends: [],
    clockSample: null,
  };
}

/** Returns the server's current time, estimated with the local clock. */
export function serviceTime({ clockSample }: Quota, time: Time): number {
  return clockSample ? clockSample.service + Math.max(0, time.now - clockSample.local) : time.now;
}

/**
 * Returns a lower bound for the server's current time. Time that passed while the background script was not running
 * does not count.
 */
export function certainServiceTime(budget: Quota, time: Time): number {
  const { clockSample } = budget;
  return clockSample && !isTimeCertain(budget, time) ? clockSample.service : serviceTime(budget, time);
}

/** True if the server has reported its time since the background script started, or if it never reports a time. */
export function isTimeCertain({ clockSample }: Quota, time: Time): boolean {
  return clockSample === null || clockSample.workerId === time.workerId;
}

/** Returns the number of sends that the quota still allows. */
export function remaining(budget: Quota, time: Time): number {
  return remainingAt(budget, serviceTime(budget, time));
}

/**
 * True if only an estimate of the server's time allows another HTTP request. The extension must then ask the server
 * for its time.
 */
export function needsConfirmation(budget: Quota, time: Time): boolean {
  return remaining(budget, time) > 0 && remainingAt(budget, certainServiceTime(budget, time)) <= 0;
}

/**
 * Returns the local time at which the quota allows one more HTTP request. Returns null if the quota is completely
 * unused.
 */
export function nextUnitAt(budget: Quota, time: Time): number | null {
  const service = serviceTime(budget, time);
  if (remainingAt(budget, service) >= budget.quota.limit) return null;
  const oldest = Math.min(...counted(budget, service).map((send) => send.atService));
  const { reported, quota } = budget;
  const borderAt = reported && Math.max(reported.resetAtService, windowStart(reported, service) + reported.windowMs);
  const ends = borderAt ?? oldest + quota.windowMs;
  return time.now + (ends - service);
}

/** Returns the estimated server time as the send time of an HTTP request. The function does not send the request. */
export function sendNow(budget: Quota, time: Time): Send {
  return { atService: serviceTime(budget, time), confirmed: false };
}

export function recordSend(budget: Quota, time: Time): Quota {
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, remaining: Math.max(0, budget.reported.remaining - 1) },
    sends: [...kept(budget, time), sendNow(budget, time)],
  };
}

/**
 * Shifts stored local times after the computer's clock was set back by `ms` milliseconds, so that delays keep their
 * length.
 */
export function correctForClockSetBack(budget: Quota, ms: number): Quota {
  const { clockSample } = budget;
  if (clockSample) return { ...budget, clockSample: { ...clockSample, local: clockSample.local - ms } };
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, resetAtService: budget.reported.resetAtService - ms },
    sends: budget.sends.map((send) => ({ ...send, atService: send.atService - ms })),
  };
}

/**
 * Returns the number of HTTP requests that the quota still allows. The server's count and the extension's count may
 * differ, so the lower count applies.
 */
function remainingAt(budget: Quota, service: number): number {
  const { limit } = budget.quota;
  const byLedger = limit > LEDGER_LIMIT ? limit : limit - counted(budget, service).length;
  const byService = budget.reported && service < budget.reported.resetAtService ? budget.reported.remaining : limit;
  return Math.max(0, Math.min(byLedger, byService));
}

/**
 * Returns the recorded HTTP requests that count against the quota now. If the server reports its quota window, only
 * HTTP requests in that window count.
 */
function counted(budget: Quota, service: number): Send[] {
  const { reported, quota } = budget;
  if (!reported) return budget.sends.filter((send) => send.atService + quota.windowMs > service);
  // The recorded times are not exact. An HTTP request near the border between two quota windows therefore counts in
  // both windows.
  const start = windowStart(reported, service) - BORDER_DOUBT_MS;
  return budget.sends.filter((send) => send.atService >= (send.confirmed ? start : start - ESTIMATE_DOUBT_MS));
}

/** Returns the start of the quota window that contains the server time `service`. */
function windowStart({ resetAtService, windowMs }: NonNullable<Quota['reported']>, service: number): number {
  return resetAtService + Math.floor((service - resetAtService) / windowMs) * windowMs;
}

function kept(budget: Quota, time: Time): Send[] {
  const certain = certainServiceTime(budget, time);
  const longest = Math.max(budget.quota.windowMs, SAFE_DAY_MS);
  return budget.sends.filter((send) => send.atService + longest > certain).slice(-LEDGER_LIMIT);
}

/**
 * Maximum number of times that a request is sent automatically per day. This limit prevents a failing request from
 * using up the whole quota.
 */
export const AUTOMATIC_SENDS_PER_DAY = 3;

/** Maximum number of sends without a response. After that, the user decides whether the request is sent again. */
export const MAX_SENDS = 6;

/**
 * Returns the local time at which a request can be sent automatically again. Each request has a daily limit of
 * automatic sends. Returns null if the request can be sent now.
 *
 * @param certain true to use a lower bound of the server's time instead of an estimate
 */
export function dailyCapFreeAt(request: Request, { budget }: Queue, time: Time, certain = false): number | null {
  // Fast path for nearly every request in a long list.
  if (request.sends.length < AUTOMATIC_SENDS_PER_DAY) return null;
  const service = certain ? certainServiceTime(budget, time) : serviceTime(budget, time);
  const counted = request.sends.filter(({ atService }) => atService + SAFE_DAY_MS > service);
  const last = counted
    .map(({ atService }) => atService)
    .sort((one, other) => one - other)
    .at(-AUTOMATIC_SENDS_PER_DAY);
  return last === undefined ? null : time.now + (last + SAFE_DAY_MS - service);
}

/**
 * Returns the earliest local time at which the daily limits allow all these requests to be sent. Returns null if the
 * requests can be sent now.
 */
export function dailyCapsFreeAt(requests: Request[], queue: Queue, time: Time, certain = false): number | null {
  const times = requests.map((request) => dailyCapFreeAt(request, queue, time, certain)).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}
