import type { Queue, Quota, Request, Send, Time } from '../types.ts';

/*
 * The daily quota of one API key.
 * A clock that jumps must never refill it. So sends are dated by the service's clock, which is known from the `Date` of
 * its responses. A send stops counting only when that clock has advanced far enough.
 * Within one worker, the local clock carries the service's time forward. After a restart, the computer may have slept
 * or its clock may have been set, so the service's time is only an estimate. Quota that only the estimate would free
 * must be confirmed by a probe first (`needsConfirmation`). If a service reports no time, the local clock decides.
 */

/** Limits of the specification. A window of 25 hours is safe for every time zone, because no calendar day is longer. */
export const DAY_LIMIT = 20;
export const SAFE_DAY_MS = 25 * 3_600_000;
/** Resolution of `Date` and of reset times. A window border that is computed from both is exact to two seconds. */
export const DATE_RESOLUTION_MS = 1_000;
const BORDER_DOUBT_MS = 2 * DATE_RESOLUTION_MS;
/** Maximum error of an estimated service time: the duration of the longest send. */
const ESTIMATE_DOUBT_MS = 30_000;
/** Maximum number of stored sends. A service with a larger quota counts alone. */
const LEDGER_LIMIT = 2_000;

/** Returns the quota of a key that was never used. */
export function newQuota(): Quota {
  return {
    gapMs: 1_000,
    quota: { limit: DAY_LIMIT, windowMs: SAFE_DAY_MS },
    reported: null,
    sends: [],
    clockSample: null,
  };
}

/** Returns the service's time, estimated by the local clock. */
export function serviceTime({ clockSample }: Quota, time: Time): number {
  return clockSample ? clockSample.service + Math.max(0, time.now - clockSample.local) : time.now;
}

/** Returns a time that the service's clock has certainly reached. Ignores the time between the end of one worker and the start of the next. */
export function certainServiceTime(budget: Quota, time: Time): number {
  const { clockSample } = budget;
  return clockSample && !isTimeCertain(budget, time) ? clockSample.service : serviceTime(budget, time);
}

/** True if this worker has heard the service's time, or if the service reports none. */
export function isTimeCertain({ clockSample }: Quota, time: Time): boolean {
  return clockSample === null || clockSample.workerId === time.workerId;
}

/** Returns the number of sends that the quota allows now. */
export function remaining(budget: Quota, time: Time): number {
  return remainingAt(budget, serviceTime(budget, time));
}

/**
 * True if the quota allows a send only because of time that no worker observed. A probe must confirm that time first.
 */
export function needsConfirmation(budget: Quota, time: Time): boolean {
  return remaining(budget, time) > 0 && remainingAt(budget, certainServiceTime(budget, time)) <= 0;
}

/** Returns the local time at which the quota allows one more send. Null if none was used. */
export function nextUnitAt(budget: Quota, time: Time): number | null {
  const service = serviceTime(budget, time);
  if (remainingAt(budget, service) >= budget.quota.limit) return null;
  const oldest = Math.min(...counted(budget, service).map((send) => send.atService));
  const { reported, quota } = budget;
  const borderAt = reported && Math.max(reported.resetAtService, windowStart(reported, service) + reported.windowMs);
  const ends = borderAt ?? oldest + quota.windowMs;
  return time.now + (ends - service);
}

/** Returns the record of a send that leaves now. It is stored before the request leaves. */
export function sendNow(budget: Quota, time: Time): Send {
  return { atService: serviceTime(budget, time), confirmed: false };
}

/** Charges one send to the quota. */
export function recordSend(budget: Quota, time: Time): Quota {
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, remaining: Math.max(0, budget.reported.remaining - 1) },
    sends: [...kept(budget, time), sendNow(budget, time)],
  };
}

/** Moves local times back by `ms` after the local clock was set back, so that waits keep their length. */
export function correctForClockSetBack(budget: Quota, ms: number): Quota {
  const { clockSample } = budget;
  if (clockSample) return { ...budget, clockSample: { ...clockSample, local: clockSample.local - ms } };
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, resetAtService: budget.reported.resetAtService - ms },
    sends: budget.sends.map((send) => ({ ...send, atService: send.atService - ms })),
  };
}

/** Returns the lower of two numbers: the sends left by our own count, and those that the service reported. */
function remainingAt(budget: Quota, service: number): number {
  const { limit } = budget.quota;
  const byLedger = limit > LEDGER_LIMIT ? limit : limit - counted(budget, service).length;
  const byService = budget.reported && service < budget.reported.resetAtService ? budget.reported.remaining : limit;
  return Math.max(0, Math.min(byLedger, byService));
}

/** Returns the sends that count now. If the service reports its window, only the sends in that window count. */
function counted(budget: Quota, service: number): Send[] {
  const { reported, quota } = budget;
  if (!reported) return budget.sends.filter((send) => send.atService + quota.windowMs > service);
  // A send close to the border of the window counts on both sides.
  const start = windowStart(reported, service) - BORDER_DOUBT_MS;
  return budget.sends.filter((send) => send.atService >= (send.confirmed ? start : start - ESTIMATE_DOUBT_MS));
}

/** Returns the start of the service's window that contains `service`. */
function windowStart({ resetAtService, windowMs }: NonNullable<Quota['reported']>, service: number): number {
  return resetAtService + Math.floor((service - resetAtService) / windowMs) * windowMs;
}

/** Returns the sends that may still count, by time that the service's clock has certainly reached. */
function kept(budget: Quota, time: Time): Send[] {
  const certain = certainServiceTime(budget, time);
  const longest = Math.max(budget.quota.windowMs, SAFE_DAY_MS);
  return budget.sends.filter((send) => send.atService + longest > certain).slice(-LEDGER_LIMIT);
}

/** Maximum number of automatic sends of one request per day, so that a failing request does not use the whole quota. */
export const AUTOMATIC_SENDS_PER_DAY = 3;

/** Maximum number of sends of an attempt without a response. After that, the user decides. */
export const MAX_SENDS = 6;

/**
 * Returns the local time at which the daily cap of a request allows another automatic send. Null: now.
 *
 * @param certain true to count only time that has certainly passed at the service
 */
export function dailyCapFreeAt(request: Request, { budget }: Queue, time: Time, certain = false): number | null {
  // Fast path for nearly every request of a long list.
  if (request.sends.length < AUTOMATIC_SENDS_PER_DAY) return null;
  const service = certain ? certainServiceTime(budget, time) : serviceTime(budget, time);
  const counted = request.sends.filter(({ atService }) => atService + SAFE_DAY_MS > service);
  const last = counted
    .map(({ atService }) => atService)
    .sort((one, other) => one - other)
    .at(-AUTOMATIC_SENDS_PER_DAY);
  return last === undefined ? null : time.now + (last + SAFE_DAY_MS - service);
}

/** Returns the local time at which the daily caps of all these requests allow a send. Null: now. */
export function dailyCapsFreeAt(requests: Request[], queue: Queue, time: Time, certain = false): number | null {
  const times = requests.map((request) => dailyCapFreeAt(request, queue, time, certain)).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}
