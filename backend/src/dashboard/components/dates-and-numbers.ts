import { getCookie } from 'hono/cookie';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { PageContext } from '../page-definition.ts';
import { type Html, html } from './html-elements.ts';

/** Formats and parses times in one time zone. Times are in milliseconds since 1970. */
export interface DateFormats {
  /** Name such as `Asia/Kolkata`, or `UTC` if the browser's time zone is unknown. */
  zone: string;
  /** Formats a day: "1 Jul 2026". Its tooltip shows the time. */
  day(instant: number): Html;
  /** Formats a day and time with the time zone: "1 Jul 2026, 17:30 GMT+5:30". */
  minute(instant: number): Html;
  /** Formats a day and time like `minute`, but as plain text. */
  minuteText(instant: number): string;
  /** Formats an hour for the labels of a chart: "17:30". */
  hourText(instant: number): string;
  /** Returns the value of a `datetime-local` field, such as `2026-07-01T17:30`, or an empty string for null. */
  fieldValue(instant: number | null): string;
  /** Parses the value of a `datetime-local` field. Returns null if the field is empty. */
  read(text: string): number | 'invalid' | null;
}

/** Cache of formats by time zone, because creating them is slow. */
const cachedFormats = new LRUCache<string, DateFormats>({ max: 100 });

/** Returns the formats of a time zone, or of UTC if the name is unknown. */
export function dateFormatsFor(name: string): DateFormats {
  const cached = cachedFormats.get(name);
  if (cached) return cached;
  const zone = canonicalZone(name);
  const times = cachedFormats.get(zone) ?? createDateFormats(zone);
  cachedFormats.set(zone, times);
  return times;
}

/** Returns the standard name of a time zone, so that different spellings share one cache entry. */
function canonicalZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

function createDateFormats(timeZone: string): DateFormats {
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
    zone: timeZone,
    day: (instant) =>
      html`<time datetime="${isoText(instant)}" title="${minuteText(instant)}">${dayFormat.format(instant)}</time>`,
    minute: (instant) => html`<time datetime="${isoText(instant)}">${minuteText(instant)}</time>`,
    minuteText,
    hourText: (instant) => hourFormat.format(instant),
    fieldValue: (instant) => (instant === null ? '' : localText(instant, timeZone)),
    read: (text) => (text.trim() === '' ? null : parseLocal(text.trim(), timeZone)),
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
 * Parses a local time. When clocks go forward, a skipped time moves one hour later. When clocks go back, the earlier
 * of two equal times is used.
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

/** Returns the formats of the user's time zone, or of UTC if the time zone is unknown. */
export function readerDateFormats(context: PageContext): DateFormats {
  return dateFormatsFor(getCookie(context, TIME_ZONE_COOKIE) ?? 'UTC');
}

/** Formats a whole number: "1,234". */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** Formats a number with its noun: "1 click", "1,234 clicks". */
export function formatCount(value: number, thing: string): string {
  return `${formatNumber(value)} ${thing}${value === 1 ? '' : 's'}`;
}
