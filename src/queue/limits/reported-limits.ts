import type { Limit, Limits } from '@terse/contract';
import type { Reported } from '../../services/service-adapter.ts';
import type { Quota, Send, Time } from '../types.ts';
import { certainServiceTime, DATE_RESOLUTION_MS, serviceTime } from './daily-quota.ts';

const DAY_MS = 24 * 3_600_000;

/** Updates a quota from a response. The server time is updated first, because the limits depend on it. */
export function applyReportedLimits(
  budget: Quota,
  reported: Reported,
  time: Time,
  dated: DateSends = dateSends,
): Quota {
  return withLimits(withDate(budget, reported.date, time, dated), reported.limits, time);
}

export type DateSends = (sends: Send[], date: number | null) => Send[];

/**
 * Returns the server time from a `Date` header, or the last known server time if that is later. A cached response can
 * have an old `Date`.
 */
export function notEarlier(date: number, budget: Quota, time: Time): number {
  return budget.clockSample ? Math.max(date, certainServiceTime(budget, time)) : date;
}

/**
 * Returns a function that moves estimated send times later if the server's clock is ahead of the estimate. The new
 * times are still estimates, because the response to a health check may be cached.
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

/** Treats the estimated server time as confirmed. Called if the response to a health check contains no date. */
export function trustLocalClock(budget: Quota, time: Time): Quota {
  if (!budget.clockSample) return budget;
  const clockSample = { local: time.now, service: serviceTime(budget, time), workerId: time.workerId };
  return { ...budget, clockSample };
}

/**
 * Replaces estimated send times with the time in a response's `Date` header. If the `Date` is slightly too late, the
 * extension waits longer than necessary, which is safe.
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
 * Limits a send time to the date of the server's response. An earlier send time stays unchanged, so that an
 * idempotency key never seems younger than it is.
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
  // If the server reports no count, the start of the quota window is unknown. The extra hour covers days of 25 hours.
  const safeMs = !reported && windowMs >= DAY_MS ? windowMs + 3_600_000 : windowMs;
  return { ...budget, gapMs, quota: { limit: quota.limit, windowMs: safeMs }, reported };
}

/** Returns the minimum time between two sends, in milliseconds. */
export function gapOf({ limit, windowSeconds }: Limit): number {
  return Math.ceil((windowSeconds * 1000) / limit);
}

function reportedCount({ remaining, resetSeconds, windowSeconds }: Limit, service: number): Quota['reported'] {
  if (remaining === null || resetSeconds === null) return null;
  // `Date` has a resolution of one second, so the real server time may be up to one second later.
  const resetAtService = service + resetSeconds * 1000 + DATE_RESOLUTION_MS;
  return { remaining, resetAtService, windowMs: windowSeconds * 1000 };
}
