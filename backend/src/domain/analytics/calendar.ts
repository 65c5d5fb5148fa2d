/** All dates are in UTC, where every day has 24 hours, so days and hours can be calculated by division. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the number of a UTC day, counted from January 1, 1970, which is day 0. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY);
}

export function hourOf(instant: number): number {
  return Math.floor((instant - dayOf(instant) * DAY) / HOUR);
}

/** Returns the number of hours from the start of January 1, 1970 to the given hour of a UTC day. */
export function hourNumber(day: number, hour: number): number {
  return day * 24 + hour;
}

/** Returns the time at which an hour of a UTC day begins, in milliseconds since 1970. */
export function startOf(day: number, hour = 0): number {
  return day * DAY + hour * HOUR;
}
