import { formatNumber, t, uiLocale } from './i18n.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * Tolerance when a time is rounded up to the next minute. The computed reset time of a quota can be up to two seconds
 * late. Without the tolerance, a reset at midnight would be shown as 00:01.
 */
const FORGIVEN = 2 * SECOND;

/**
 * Formats a future time in the user's language and time zone: "now", "in a few seconds", "in 12 min", "at 02:00",
 * "tomorrow at 02:00", "on Fri 3 Jan at 02:00". Times are rounded up to the full minute, so that the displayed time
 * is never too early.
 */
export function formatDateTime(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return t('whenNow');
  if (left < 30 * SECOND) return t('whenSoon');
  if (left < HOUR) return t('whenMinutes', formatNumber(Math.ceil(left / MINUTE)));
  return dayAndClock(Math.ceil((at - FORGIVEN) / MINUTE) * MINUTE, now);
}

/** Formats a past time: "just now", "12 min ago", "at 18:20", "yesterday at 18:20", "on Fri 3 Jan at 18:20". */
export function formatTimeAgo(at: number, now: number): string {
  const passed = now - at;
  if (passed < MINUTE) return t('whenJustNow');
  if (passed < HOUR) return t('whenMinutesAgo', formatNumber(Math.floor(passed / MINUTE)));
  return dayAndClock(at, now);
}

function dayAndClock(at: number, now: number): string {
  const clock = format(at, { timeStyle: 'short' });
  const days = daysBetween(now, at);
  if (days === 0) return t('whenToday', clock);
  if (Math.abs(days) === 1) return t(days === 1 ? 'whenTomorrow' : 'whenYesterday', clock);
  return t('whenLater', format(at, { weekday: 'short', day: 'numeric', month: 'short' }), clock);
}

/**
 * Formats a day as "today", "yesterday" or a date. The date includes the year if the day is not in the current year.
 */
export function formatDay(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days === 0) return t('dayToday');
  if (days === 1) return t('dayYesterday');
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return format(at, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) });
}

/** Formats a day within a sentence: "today", "yesterday", or "on 16 Nov". */
export function formatOnDay(at: number, now: number): string {
  const day = formatDay(at, now);
  return daysBetween(at, now) > 1 ? t('dayOn', day) : day;
}

/** Formats a duration in the largest unit that gives a whole number: "12 hours", "90 minutes". */
export function formatDuration(seconds: number): string {
  const sizes = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
  const [unit, size] = Object.entries(sizes).find(([, one]) => seconds % one === 0) ?? ['second', 1];
  return formatNumber(seconds / size, { style: 'unit', unit, unitDisplay: 'long' });
}

/**
 * Returns the number of midnights between two times in the user's time zone. Days of 23 or 25 hours (daylight saving
 * time) count as one day.
 */
function daysBetween(from: number, to: number): number {
  const midnight = (instant: number) => new Date(instant).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / DAY);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time in the user's language. Formats are cached, because a long list shows many dates. */
function format(at: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([uiLocale(), options]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(uiLocale(), options);
  formats.set(key, known);
  return known.format(at);
}
