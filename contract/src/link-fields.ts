import * as z from 'zod/mini';

/** A valid custom short code. Generated codes match it too. */
export const SHORT_CODE_PATTERN = /^[A-Za-z0-9_-]{3,64}$/;

/** Maximum length of a title in Unicode code points, as JSON Schema's `maxLength` counts. */
export const TITLE_LIMIT = 300;

/** True if a text is short enough for a title. */
export function isTitle(text: string): boolean {
  return text.length <= TITLE_LIMIT || [...text].length <= TITLE_LIMIT;
}

/** A title that a client sends. */
export const TitleText = z.string().check(z.maxLength(TITLE_LIMIT));

const Iso = z.iso.datetime({ offset: true });
const DAY = 86_400_000;

/**
 * Parses a date and time of RFC 3339 (section 5.6): with a time zone, in upper or lower case, leap seconds included.
 *
 * @returns milliseconds since the epoch, or null if the text is invalid. A leap second becomes the first second of the next day.
 */
export function parseDateTime(text: string): number | null {
  const upper = text.toUpperCase();
  const isLeap = upper.slice(16, 19) === ':60';
  const plain = isLeap ? `${upper.slice(0, 16)}:59${upper.slice(19)}` : upper;
  if (!Iso.safeParse(plain).success) return null;
  if (!isLeap) return Date.parse(plain);
  const after = Date.parse(plain) + 1000;
  return Math.floor(after / 1000) % (DAY / 1000) === 0 ? after : null;
}

/** A date and time that a client sends. The OpenAPI description calls it `date-time`. */
export const DateTimeText = z.stringFormat('date-time', (text) => parseDateTime(text) !== null);
