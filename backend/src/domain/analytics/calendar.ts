/** Dates are in UTC, where every day has 24 hours. Days and hours can therefore be calculated by division. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the number of a UTC day. January 1, 1970 is day 0. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY);
}

export function hourOf(instant: number): number {
  return Math.floor((instant - dayOf(instant) * DAY) / HOUR);
}

/** Returns the number of hours between January 1, 1970 and the given hour. */
export function hourNumber(day: number, hour: number): number {
  return day * 24 + hour;
}

/** Returns the time at which an hour of a UTC day begins, in milliseconds since 1970. */
export function startOf(day: number, hour = 0): number {
  return day * DAY + hour * HOUR;
}

export interface Hours {
  from: number;
  to: number;
}

/**
 * The current period so far and the same part of the previous period, both in full hours. If the previous month is
 * shorter than the current month so far, the whole previous month is used.
 */
export interface Compared {
  /** The current period, including the hour that has not ended yet. */
  soFar: Hours;
  whole: Hours;
  before: Hours;
}

export function comparedDays(now: number): Compared {
  const today = Math.floor(now / 24) * 24;
  return compared(today, today - 24, now);
}

export function comparedMonths(now: number): Compared {
  const instant = new Date(now * 3_600_000);
  const firstHour = (month: number) => hourNumber(Date.UTC(instant.getUTCFullYear(), month) / 86_400_000, 0);
  return compared(firstHour(instant.getUTCMonth()), firstHour(instant.getUTCMonth() - 1), now);
}

function compared(start: number, startBefore: number, now: number): Compared {
  const endBefore = Math.min(startBefore + (now - start), start);
  return {
    soFar: { from: start, to: now + 1 },
    whole: { from: start, to: now },
    before: { from: startBefore, to: endBefore },
  };
}

export function clicksIn({ from, to }: Hours, counted: readonly { hour: number; clicks: number }[]): number {
  return counted.reduce((sum, { hour, clicks }) => (hour >= from && hour < to ? sum + clicks : sum), 0);
}
