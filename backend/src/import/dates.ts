/** Order of day and month in dates such as `4/15/2021`. */
export type DateOrder = 'day-month' | 'month-day';

/** Lowercase texts that mean “no date”. */
const NO_DATES = new Set(['', '0', 'null', '\\n', 'never', '0000-00-00', '0000-00-00 00:00:00']);

/**
 * Smallest number that is read as milliseconds since 1970. Smaller numbers are read as seconds. Dates between 1973
 * and 5138 are read correctly in both units.
 */
const MIN_MILLISECONDS = 100_000_000_000;

/** Supported forms of a date. A date can be followed by a time and a time zone. */
const DATES = [
  /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})(?<rest>\D.*)?$/s,
  /^(?<one>\d{1,2})(?<sign>[-/.])(?<two>\d{1,2})\k<sign>(?<year>\d{4})(?<rest>\D.*)?$/s,
];

const TIME_AND_ZONE =
  /^(?:(?:,?\s+|T)(?<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(?:\s*(?<half>[AP])\.?M\.?)?)?\s*(?:Z|UTC|GMT)?(?<zone>[+-]\d{2}(?::?\d{2})?)?$/i;

/** Matches a table cell or JSON text that starts with a date such as `4/15/2021`. */
const SHORT_DATE = /(?<![^\s,;|"])(?<one>\d{1,2})(?<sign>[-/.])(?<two>\d{1,2})\k<sign>\d{4}/g;

/** Returns each order of day and month that a date in the text settles, because its day is above 12. */
export function ordersIn(text: string): DateOrder[] {
  return [...text.matchAll(SHORT_DATE)].flatMap(({ groups }) => {
    const [isDay, isMonth] = [Number(groups?.one) > 12, Number(groups?.two) > 12];
    if (isDay === isMonth) return [];
    return isDay ? ['day-month'] : ['month-day'];
  });
}

/**
 * Reads a date, or a date and time. Dates without a time zone are in UTC. Returns milliseconds since 1970, or null if
 * the text means “no date”.
 *
 * @param order null if it is not known; then only dates that are the same in both orders or have a day above 12 are read
 */
export function readDate(text: string, order: DateOrder | null): number | 'invalid' | null {
  if (NO_DATES.has(text.toLowerCase())) return null;
  for (const pattern of DATES) {
    const { year, month, day, one, two, rest = '' } = pattern.exec(text)?.groups ?? {};
    if (!year) continue;
    const date = one ? dayAndMonth(Number(one), Number(two), order) : { day: Number(day), month: Number(month) };
    return date ? instantOf({ year, ...date, rest }) : 'invalid';
  }
  if (!/^\d{9,13}(\.\d+)?$/.test(text)) return 'invalid';
  const number = Number(text);
  return Math.trunc(number < MIN_MILLISECONDS ? number * 1000 : number);
}

/** Returns day and month of a date such as `4/15/2021`, or null if their order is not known. */
function dayAndMonth(one: number, two: number, order: DateOrder | null): { day: number; month: number } | null {
  if (one > 12 || order === 'day-month' || one === two) return { day: one, month: two };
  return two > 12 || order === 'month-day' ? { day: two, month: one } : null;
}

function instantOf({ year, month, day, rest }: { year: string; month: number; day: number; rest: string }) {
  const clock = TIME_AND_ZONE.exec(rest);
  if (!clock || month < 1 || month > 12 || day < 1 || day > daysIn(Number(year), month)) return 'invalid';
  const { time, half, zone } = clock.groups ?? {};
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const instant = Date.parse(`${date}T${fullTime(time ?? '0:00', half)}${fullZone(zone)}`);
  return Number.isNaN(instant) ? 'invalid' : instant;
}

function daysIn(year: number, month: number): number {
  // Moves the year into the range that `Date.UTC` does not reinterpret. Leap years repeat after 400 years.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Converts a time to ISO 8601: `1:05 PM` becomes `13:05`. */
function fullTime(time: string, half: string | undefined): string {
  const [hours = '', ...rest] = time.replace(',', '.').split(':');
  const hour = half ? (Number(hours) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : Number(hours);
  return [twoDigits(hour), ...rest].join(':');
}

/** Converts a time zone to ISO 8601: `+01` and `+0100` become `+01:00`. */
function fullZone(zone = ''): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours ? `${hours}:${minutes}` : 'Z';
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
