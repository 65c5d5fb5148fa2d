import { getCookie } from 'hono/cookie';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { PageContext } from '../page-definition.ts';
import { type Html, html } from './html-elements.ts';

/** Shows instants, and reads what people type, in one time zone. All instants are in milliseconds since 1970. */
export interface DateFormats {
  /** An IANA name, such as `Asia/Kolkata`; `UTC` where the browser's zone is not known. */
  zone: string;
  /** A day, such as "1 Jul 2026"; pointing at it shows the time, too. */
  day(instant: number): Html;
  /** A day, hour and minute, with the short name of the zone: "1 Jul 2026, 17:30 GMT+5:30". */
  minute(instant: number): Html;
  /** The same as plain text. */
  minuteText(instant: number): string;
  /** The hour as it stands under a bar of a chart: "17:30". */
  hourText(instant: number): string;
  /** An instant as a `datetime-local` field holds it, without seconds; empty for null. */
  fieldValue(instant: number | null): string;
  /** Reads such a field; null where it is empty. */
  read(text: string): number | 'invalid' | null;
}

/** Formats are slow to make, so those of the zones in use are kept. */
const cachedFormats = new LRUCache<string, DateFormats>({ max: 100 });

/** The times of a zone, by its IANA name; those of UTC where there is no such zone. */
export function dateFormatsFor(name: string): DateFormats {
  const kept = cachedFormats.get(name);
  if (kept) return kept;
  const zone = canonicalZone(name);
  const times = cachedFormats.get(zone) ?? createDateFormats(zone);
  cachedFormats.set(zone, times);
  return times;
}

/** The zone's name as it is usually written. Kept times go by it: a name can be written in endless ways. */
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

/** An hour that a change of clocks skips is taken an hour later, and the first of two equal hours is meant. */
function parseLocal(text: string, zone: string): number | 'invalid' {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return 'invalid';
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return 'invalid';
  }
}

/** Set by `assets/time-zone.js`, so that pages come with their times in the reader's zone. */
const TIME_ZONE_COOKIE = 'terse-zone';

/** The times of the reader's zone; without script it is not known, and times are in UTC. */
export function readerDateFormats(context: PageContext): DateFormats {
  return dateFormatsFor(getCookie(context, TIME_ZONE_COOKIE) ?? 'UTC');
}

/** A whole number as people write it: "1,234". */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** A number of things: "1 click", "1,234 clicks". */
export function formatCount(value: number, thing: string): string {
  return `${formatNumber(value)} ${thing}${value === 1 ? '' : 's'}`;
}
