/** Days are UTC days, which always have 24 hours, so day and hour are plain divisions. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the number of the UTC day. 1 January 1970 is 0. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY);
}

/** Returns the hour of the UTC day, 0 to 23. */
export function hourOf(instant: number): number {
  return Math.floor((instant - dayOf(instant) * DAY) / HOUR);
}

/** Returns the index of an hour, counted from 1 January 1970. */
export function hourNumber(day: number, hour: number): number {
  return day * 24 + hour;
}

/** Returns the time at which an hour of a UTC day begins, in milliseconds. */
export function startOf(day: number, hour = 0): number {
  return day * DAY + hour * HOUR;
}

/** A half-open range of hour numbers: `from` is included, `to` is not. */
export interface Hours {
  from: number;
  to: number;
}

/**
 * The current period, and the same part of the previous period. Only whole hours are compared, the same number in
 * both. If the current month is longer than the previous one, all of the previous month is used.
 */
export interface Compared {
  /** The whole current period, including the running hour. */
  soFar: Hours;
  whole: Hours;
  before: Hours;
}

/** Compares today with yesterday, in UTC. */
export function comparedDays(now: number): Compared {
  const today = Math.floor(now / 24) * 24;
  return compared(today, today - 24, now);
}

/** Compares this month with the last month, in UTC. */
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

/** Sums the clicks of the hours in a range. */
export function clicksIn({ from, to }: Hours, counted: readonly { hour: number; clicks: number }[]): number {
  return counted.reduce((sum, { hour, clicks }) => (hour >= from && hour < to ? sum + clicks : sum), 0);
}
