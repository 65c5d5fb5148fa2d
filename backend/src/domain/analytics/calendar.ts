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
 * Returns ranges that compare today with yesterday, in UTC: `soFar` is today, `whole` is today without the hour that is
 * not over, and `before` is the same part of yesterday.
 */
export function comparedDays(now: number): Record<'soFar' | 'whole' | 'before', Hours> {
  const today = Math.floor(now / 24) * 24;
  return {
    soFar: { from: today, to: now + 1 },
    whole: { from: today, to: now },
    before: { from: today - 24, to: now - 24 },
  };
}

export function clicksIn({ from, to }: Hours, counted: readonly { hour: number; clicks: number }[]): number {
  return counted.reduce((sum, { hour, clicks }) => (hour >= from && hour < to ? sum + clicks : sum), 0);
}
