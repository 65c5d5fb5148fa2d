import type { Limit, Limits } from '@terse/contract';
import type { Reported } from '../../services/service-adapter.ts';
import type { Quota, Send, Time } from '../types.ts';
import { certainServiceTime, DATE_RESOLUTION_MS, serviceTime } from './daily-quota.ts';

/*
 * What a service reports of its time and limits, taken into the budget.
 */

const DAY_MS = 24 * 3_600_000;

/** Takes in what the service reported: its time first, by which open sends are dated, then its limits and counts. */
export function applyReportedLimits(
  budget: Quota,
  reported: Reported,
  time: Time,
  dated: DateSends = dateSends,
): Quota {
  return withLimits(withDate(budget, reported.date, time, dated), reported.limits, time);
}

/** Dates sends by the `Date` of what was heard. */
export type DateSends = (sends: Send[], date: number | null) => Send[];

/** The `Date` of a probe that a cache may have answered. The service's time never runs back because of it. */
export function notEarlier(date: number, budget: Quota, time: Time): number {
  return budget.clockSample ? Math.max(date, certainServiceTime(budget, time)) : date;
}

/**
 * Dates open sends by the `Date` of a probe that a cache may have answered. An old `Date` before makes the time jump now:
 * open sends keep their age, so they jump with it. They stay open, since only the answer to a POST is certainly of now.
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

/** After a probe that reported no time: this service has no clock to confirm with, so the local one has to do. */
export function trustLocalClock(budget: Quota, time: Time): Quota {
  if (!budget.clockSample) return budget;
  const clockSample = { local: time.now, service: serviceTime(budget, time), workerId: time.workerId };
  return { ...budget, clockSample };
}

/**
 * Dates sends by the `date` of an answer. Every send reached the service before it left, so dating an open one now never
 * frees it early. One dated later than now tells of a clock that ran ahead and has been put right.
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
 * Puts a send right that was dated by a clock ahead, by the `date` of an answer. What is in the past stays: it tells how old
 * an idempotency key is, which must not become younger.
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
  // Without a count of its own, a day is read as for a service that reports nothing: its borders are unknown.
  const safeMs = !reported && windowMs >= DAY_MS ? windowMs + 3_600_000 : windowMs;
  return { ...budget, gapMs, quota: { limit: quota.limit, windowMs: safeMs }, reported };
}

/** The milliseconds between two sends that a throttle asks for. */
export function gapOf({ limit, windowSeconds }: Limit): number {
  return Math.ceil((windowSeconds * 1000) / limit);
}

function reportedCount({ remaining, resetSeconds, windowSeconds }: Limit, service: number): Quota['reported'] {
  if (remaining === null || resetSeconds === null) return null;
  // The count was taken up to a second after the `Date` it came with says.
  const resetAtService = service + resetSeconds * 1000 + DATE_RESOLUTION_MS;
  return { remaining, resetAtService, windowMs: windowSeconds * 1000 };
}
