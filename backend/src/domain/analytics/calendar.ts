/** UTC, which knows no summer time: a day is always 24 hours, and both are plain division. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The number of the UTC day an instant lies in; 1 January 1970 is 0. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY);
}

/** The hour of its UTC day an instant lies in, 0 to 23. */
export function hourOf(instant: number): number {
  return Math.floor((instant - dayOf(instant) * DAY) / HOUR);
}

/** The number of an hour of a UTC day, counted from 1 January 1970 on. */
export function hourNumber(day: number, hour: number): number {
  return day * 24 + hour;
}

/** The instant at which an hour of a UTC day begins. */
export function startOf(day: number, hour = 0): number {
  return day * DAY + hour * HOUR;
}

/** Hours by their numbers, from one up to, but without, another. */
export interface Hours {
  from: number;
  to: number;
}

/**
 * A period that is under way and the one before it, over the same time each: only whole hours are compared, as many of the one
 * as of the other. A month that has got further than the whole of the one before is compared with all of that.
 */
export interface Compared {
  /** All of the period so far, the running hour included. */
  soFar: Hours;
  whole: Hours;
  before: Hours;
}

/** Today against yesterday, by UTC days. */
export function comparedDays(now: number): Compared {
  const today = Math.floor(now / 24) * 24;
  return compared(today, today - 24, now);
}

/** This month against the last one, by the UTC calendar. */
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

/** The clicks in some of the hours that were counted. */
export function clicksIn({ from, to }: Hours, counted: readonly { hour: number; clicks: number }[]): number {
  return counted.reduce((sum, { hour, clicks }) => (hour >= from && hour < to ? sum + clicks : sum), 0);
}
