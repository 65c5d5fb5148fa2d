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
