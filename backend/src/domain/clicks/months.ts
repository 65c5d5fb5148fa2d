import { addCounts, addDay, type DayCounts, emptyDay, hourIn, total } from './counts.ts';
import { dayOf, startOf } from './days.ts';

/** The number of the month of the calendar that a UTC day lies in; January 1970 is 0. */
export function monthOf(day: number): number {
  const date = new Date(startOf(day));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first UTC day of a month. */
export function firstDayOf(month: number): number {
  return dayOf(Date.UTC(1970, month, 1));
}

/** What the days of a month come to: one sum of its clicks, without hours, and all its names. */
export function rollUp(days: Iterable<DayCounts>): DayCounts {
  const month = emptyDay();
  const sum = hourIn(month, 0);
  for (const { hours, names } of days) {
    addDay(month, { hours: new Map(), names });
    addCounts(sum, total({ hours }));
  }
  return month;
}
