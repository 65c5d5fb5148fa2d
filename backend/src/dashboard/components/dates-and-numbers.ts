import { getCookie } from 'hono/cookie';
import { Temporal } from 'temporal-polyfill';
import type { PageContext } from '../../api/services.ts';
import { type Html, html } from './html-elements.ts';

/** Formats and parses times in one time zone. Times are in milliseconds since 1970. */
export type DateFormats = ReturnType<typeof createDateFormats>;

/** Returns the formatters for a time zone. Falls back to UTC if the name of the time zone is unknown. */
export function dateFormatsFor(name: string): DateFormats {
  try {
    return createDateFormats(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return createDateFormats('UTC');
  }
}

function createDateFormats(timeZone: string) {
  const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });
  const hourFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  const minuteFormat = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  const minuteText = (instant: number) => minuteFormat.format(instant);
  return {
    /** Name such as `Asia/Kolkata`, or `UTC` if the browser's time zone is unknown. */
    zone: timeZone,
    /** Formats a day: "1 Jul 2026". Its tooltip shows the time. */
    day: (instant: number): Html =>
      html`<time datetime="${isoText(instant)}" title="${minuteText(instant)}">${dayFormat.format(instant)}</time>`,
    /** Formats a day and time with the time zone: "1 Jul 2026, 17:30 GMT+5:30". */
    minute: (instant: number): Html => html`<time datetime="${isoText(instant)}">${minuteText(instant)}</time>`,
    /** Formats a day and time like `minute`, but as plain text. */
    minuteText,
    /** Formats a time of day for chart labels: "17:30". */
    hourText: (instant: number) => hourFormat.format(instant),
    /** Formats a time for a `datetime-local` field: `2026-07-01T17:30`. Returns an empty string for null. */
    fieldValue: (instant: number | null) => (instant === null ? '' : localText(instant, timeZone)),
    /** Parses the value of a `datetime-local` field. Returns null if the field is empty. */
    read: (text: string) => (text.trim() === '' ? null : parseLocal(text.trim(), timeZone)),
  };
}

function isoText(instant: number): string {
  return new Date(instant).toISOString();
}

function localText(instant: number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime();
  return local.toString({ smallestUnit: 'minute' });
}

/**
 * Parses a local time. If daylight saving time skips this time, the result is one hour later. If the time occurs
 * twice, the result is the earlier one.
 */
function parseLocal(text: string, zone: string): number | 'invalid' {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return 'invalid';
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return 'invalid';
  }
}

/** Name of the cookie that contains the browser's time zone. A script in the browser sets the cookie. */
const TIME_ZONE_COOKIE = 'terse-zone';

/** Returns the formatters for the user's time zone. Falls back to UTC if the time zone is unknown. */
export function readerDateFormats(context: PageContext): DateFormats {
  // Over https, the cookie's name starts with `__Host-`. Over http, the name has no prefix.
  const zone = getCookie(context, TIME_ZONE_COOKIE, 'host') ?? getCookie(context, TIME_ZONE_COOKIE);
  return dateFormatsFor(zone ?? 'UTC');
}

/** Formats a whole number: "1,234". */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** Formats a number with its noun: "1 click", "1,234 clicks". */
export function formatCount(value: number, thing: string): string {
  return `${formatNumber(value)} ${thing}${value === 1 ? '' : 's'}`;
}
