import type { Expiry } from '../storage/settings.ts';

const HOUR = 3_600_000;

/** When a link expires that is ordered now, in milliseconds; null: never. A month ends on the same day of the next one, or its last. */
export function expiryAt(expiry: Expiry, now: number): number | null {
  if (expiry === 'never') return null;
  if (expiry === 'hour') return now + HOUR;
  const date = new Date(now);
  if (expiry === 'day') date.setDate(date.getDate() + 1);
  if (expiry === 'week') date.setDate(date.getDate() + 7);
  if (expiry === 'month') {
    const day = date.getDate();
    date.setMonth(date.getMonth() + 1);
    // The day of a month that is too short for it runs over into the month after.
    if (date.getDate() !== day) date.setDate(0);
  }
  return date.getTime();
}

/** A moment as a field for day and time has it: by the person's own calendar, to the minute. */
export function toField(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What stands in such a field, in milliseconds; null where it is no moment. */
export function fromField(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
