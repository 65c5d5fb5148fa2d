import type { Queue, Quota, Request, Send, Time } from '../types.ts';

/*
 * The budget of one key at one service.
 *
 * A clock that jumps must never refill it. So sends are dated by the service's clock (the `Date` of its answers), and a
 * send stops counting only when that clock has moved on far enough. Under one worker id the local clock runs evenly and
 * carries the service's time forward; between two (asleep, or set by hand? nobody can tell) it is only an estimate, and
 * what the estimate would free has to be confirmed by a probe first (`needsConfirmation`). A service that tells no time
 * leaves only the local clock.
 */

/** The specification's limits, read safely: no fixed day in any time zone holds more than 20 if no 25 hours do. */
export const DAY_LIMIT = 20;
export const SAFE_DAY_MS = 25 * 3_600_000;
/** `Date` and the seconds of a reset are whole, so a border that is reported with both is right to two seconds. */
export const DATE_RESOLUTION_MS = 1_000;
const BORDER_DOUBT_MS = 2 * DATE_RESOLUTION_MS;
/** An estimate lags behind the service by as long as the answer travelled that it goes by: a send takes no longer. */
const ESTIMATE_DOUBT_MS = 30_000;
/** A service that allows more than this a day is left to count for itself, so that the ledger stays small. */
const LEDGER_LIMIT = 2_000;

/** The budget of a key that nothing is known of. */
export function newQuota(): Quota {
  return {
    gapMs: 1_000,
    quota: { limit: DAY_LIMIT, windowMs: SAFE_DAY_MS },
    reported: null,
    sends: [],
    clockSample: null,
  };
}

/** The service's time, as far as this computer can tell. */
export function serviceTime({ clockSample }: Quota, time: Time): number {
  return clockSample ? clockSample.service + Math.max(0, time.now - clockSample.local) : time.now;
}

/** The service's time without what passed unseen between two workers: it is certainly this late. */
export function certainServiceTime(budget: Quota, time: Time): number {
  const { clockSample } = budget;
  return clockSample && !isTimeCertain(budget, time) ? clockSample.service : serviceTime(budget, time);
}

/** Whether this worker has compared the clocks itself. Without a clock to compare with, the local one is all there is. */
export function isTimeCertain({ clockSample }: Quota, time: Time): boolean {
  return clockSample === null || clockSample.workerId === time.workerId;
}

/** Sends the quota still allows now. */
export function remaining(budget: Quota, time: Time): number {
  return remainingAt(budget, serviceTime(budget, time));
}

/** Whether `remaining` counts on time that passed unseen, so that the service's clock has to confirm it first. */
export function needsConfirmation(budget: Quota, time: Time): boolean {
  return remaining(budget, time) > 0 && remainingAt(budget, certainServiceTime(budget, time)) <= 0;
}

/** When (by the local clock) the next unit comes back; null when none is spent. */
export function nextUnitAt(budget: Quota, time: Time): number | null {
  const service = serviceTime(budget, time);
  if (remainingAt(budget, service) >= budget.quota.limit) return null;
  const oldest = Math.min(...counted(budget, service).map((send) => send.atService));
  const { reported, quota } = budget;
  const borderAt = reported && Math.max(reported.resetAtService, windowStart(reported, service) + reported.windowMs);
  const ends = borderAt ?? oldest + quota.windowMs;
  return time.now + (ends - service);
}

/** A send that leaves now. It is committed before it does, whatever becomes of it. */
export function sendNow(budget: Quota, time: Time): Send {
  return { atService: serviceTime(budget, time), confirmed: false };
}

/** Charges one send. */
export function recordSend(budget: Quota, time: Time): Quota {
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, remaining: Math.max(0, budget.reported.remaining - 1) },
    sends: [...kept(budget, time), sendNow(budget, time)],
  };
}

/** The local clock was set back by `ms`: what goes by it alone is moved back too, so that waits keep their length. */
export function correctForClockSetBack(budget: Quota, ms: number): Quota {
  const { clockSample } = budget;
  if (clockSample) return { ...budget, clockSample: { ...clockSample, local: clockSample.local - ms } };
  return {
    ...budget,
    reported: budget.reported && { ...budget.reported, resetAtService: budget.reported.resetAtService - ms },
    sends: budget.sends.map((send) => ({ ...send, atService: send.atService - ms })),
  };
}

/** The stricter of the ledger and the service's own count. */
function remainingAt(budget: Quota, service: number): number {
  const { limit } = budget.quota;
  const byLedger = limit > LEDGER_LIMIT ? limit : limit - counted(budget, service).length;
  const byService = budget.reported && service < budget.reported.resetAtService ? budget.reported.remaining : limit;
  return Math.max(0, Math.min(byLedger, byService));
}

/** The sends in the window: the service's own where it reports its borders, else any that is younger than the window. */
function counted(budget: Quota, service: number): Send[] {
  const { reported, quota } = budget;
  if (!reported) return budget.sends.filter((send) => send.atService + quota.windowMs > service);
  // A send about which it is in doubt on which side of the border it fell counts on both.
  const start = windowStart(reported, service) - BORDER_DOUBT_MS;
  return budget.sends.filter((send) => send.atService >= (send.confirmed ? start : start - ESTIMATE_DOUBT_MS));
}

/** When the service's own window began that `service` lies in. */
function windowStart({ resetAtService, windowMs }: NonNullable<Quota['reported']>, service: number): number {
  return resetAtService + Math.floor((service - resetAtService) / windowMs) * windowMs;
}

/** The sends that any reading of the quota may still count, by time that certainly passed at the service. */
function kept(budget: Quota, time: Time): Send[] {
  const certain = certainServiceTime(budget, time);
  const longest = Math.max(budget.quota.windowMs, SAFE_DAY_MS);
  return budget.sends.filter((send) => send.atService + longest > certain).slice(-LEDGER_LIMIT);
}

/** The units of a day's budget that one request may spend by itself: one that fails again and again leaves the rest. */
export const AUTOMATIC_SENDS_PER_DAY = 3;

/** Sends of one attempt without an answer that tells, after which the person decides. */
export const MAX_SENDS = 6;

/**
 * When a request may be sent by itself again as far as its share of the day goes, by the local clock; null: now.
 * `certain` counts the time alone that has certainly passed at the service.
 */
export function dailyCapFreeAt(request: Request, { budget }: Queue, time: Time, certain = false): number | null {
  // Nearly every request, of lists of a thousand.
  if (request.sends.length < AUTOMATIC_SENDS_PER_DAY) return null;
  const service = certain ? certainServiceTime(budget, time) : serviceTime(budget, time);
  const counted = request.sends.filter(({ atService }) => atService + SAFE_DAY_MS > service);
  const last = counted
    .map(({ atService }) => atService)
    .sort((one, other) => one - other)
    .at(-AUTOMATIC_SENDS_PER_DAY);
  return last === undefined ? null : time.now + (last + SAFE_DAY_MS - service);
}

/** The latest time at which the share of each of them is free; null: now. */
export function dailyCapsFreeAt(requests: Request[], queue: Queue, time: Time, certain = false): number | null {
  const times = requests.map((request) => dailyCapFreeAt(request, queue, time, certain)).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}
