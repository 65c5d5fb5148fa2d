import type { Limit, Limits } from '@terse/contract';
import type { Reported } from '../../services/service-adapter.ts';
import type { Quota, Send, Time } from '../types.ts';
import { certainServiceTime, DATE_RESOLUTION_MS, serviceTime } from './daily-quota.ts';

const DAY_MS = 24 * 3_600_000;

/** Applies the reported time, and then the limits, to a quota. The time comes first because it dates the sends. */
export function applyReportedLimits(
  budget: Quota,
  reported: Reported,
  time: Time,
  dated: DateSends = dateSends,
): Quota {
  return withLimits(withDate(budget, reported.date, time, dated), reported.limits, time);
}

/** A function that dates sends by a reported `Date`. */
export type DateSends = (sends: Send[], date: number | null) => Send[];

/**
 * Returns the `Date` of a probe, but never an earlier time than the service has reached. A cache may have answered the
 * probe.
 */
export function notEarlier(date: number, budget: Quota, time: Time): number {
  return budget.clockSample ? Math.max(date, certainServiceTime(budget, time)) : date;
}

/**
 * Returns a function that dates unconfirmed sends by a probe's `Date`. If the time jumps forward, the sends move with
 * it and keep their age. They stay unconfirmed, because a cache may have answered the probe.
 */
export function dateLater(budget: Quota, time: Time): DateSends {
  return (sends, date) => {
    if (date === null || sends.every(({ confirmed }) => confirmed)) return sends;
    const jump = Math.max(0, date - serviceTime(budget, time));
    const latest = date + DATE_RESOLUTION_MS;
    return sends.map((send) =>
      send.confirmed ? send : { ...send, atService: Math.min(send.atService + jump, latest) },
    );
  };
}

/** Accepts the local clock's estimate after a probe that reported no time, because this service offers no other. */
export function trustLocalClock(budget: Quota, time: Time): Quota {
  if (!budget.clockSample) return budget;
  const clockSample = { local: time.now, service: serviceTime(budget, time), workerId: time.workerId };
  return { ...budget, clockSample };
}

/**
 * Dates unconfirmed sends by the `Date` of a response. They arrived before it was sent, so this never frees quota
 * early. A send that is dated later than the response was dated by a wrong clock.
 */
export function dateSends(sends: Send[], date: number | null): Send[] {
  if (date === null) return sends;
  const latest = date + DATE_RESOLUTION_MS;
  const isRight = (send: Send) => send.confirmed && send.atService <= latest;
  return sends.every(isRight)
    ? sends
    : sends.map((send) => (isRight(send) ? send : { atService: latest, confirmed: true }));
}

/**
 * Corrects a send that was dated later than a response. Earlier sends stay, because the age of an idempotency key must
 * not decrease.
 */
export function notAhead(send: Send, date: number | null): Send {
  const latest = date === null ? Number.POSITIVE_INFINITY : date + DATE_RESOLUTION_MS;
  return send.atService <= latest ? send : { atService: latest, confirmed: true };
}

function withDate(budget: Quota, date: number | null, time: Time, dated: DateSends): Quota {
  if (date === null) return budget;
  const { reported } = budget;
  const latestReset = date + DATE_RESOLUTION_MS + (reported?.windowMs ?? 0);
  return {
    ...budget,
    sends: dated(budget.sends, date),
    reported: reported && { ...reported, resetAtService: Math.min(reported.resetAtService, latestReset) },
    clockSample: { local: time.now, service: date, workerId: time.workerId },
  };
}

function withLimits(budget: Quota, { throttle, quota }: Limits, time: Time): Quota {
  const gapMs = throttle ? gapOf(throttle) : budget.gapMs;
  if (!quota) return { ...budget, gapMs };
  const reported = reportedCount(quota, serviceTime(budget, time));
  const windowMs = quota.windowSeconds * 1000;
  // If the service reports no count, the borders of its window are unknown, so a day is extended by an hour.
  const safeMs = !reported && windowMs >= DAY_MS ? windowMs + 3_600_000 : windowMs;
  return { ...budget, gapMs, quota: { limit: quota.limit, windowMs: safeMs }, reported };
}

/** Returns the minimum time between two sends in milliseconds. */
export function gapOf({ limit, windowSeconds }: Limit): number {
  return Math.ceil((windowSeconds * 1000) / limit);
}

function reportedCount({ remaining, resetSeconds, windowSeconds }: Limit, service: number): Quota['reported'] {
  if (remaining === null || resetSeconds === null) return null;
  // `Date` has whole seconds, so the count may be up to a second newer.
  const resetAtService = service + resetSeconds * 1000 + DATE_RESOLUTION_MS;
  return { remaining, resetAtService, windowMs: windowSeconds * 1000 };
}
