import * as z from 'zod/mini';

/** A code its owner chose: 3 to 64 of `[A-Za-z0-9_-]`. Generated codes are a subset of this. */
export const SHORT_CODE_PATTERN = /^[A-Za-z0-9_-]{3,64}$/;

/** The longest title kept with a link, in Unicode code points: an emoji counts once, as in JSON Schema's `maxLength`. */
export const TITLE_LIMIT = 300;

/** Whether a text is short enough for a title. */
export function isTitle(text: string): boolean {
  return text.length <= TITLE_LIMIT || [...text].length <= TITLE_LIMIT;
}

/** A title as a client may send it. */
export const TitleText = z.string().check(z.maxLength(TITLE_LIMIT));

const Iso = z.iso.datetime({ offset: true });
const DAY = 86_400_000;

/**
 * Reads an instant as RFC 3339 writes it (section 5.6): with a zone, its letters in either case, a leap second included.
 *
 * @returns milliseconds since the epoch; a leap second is the first second of the next day. Null where the text is none
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

/** An instant as a client may send it; told as `date-time` in the API's description. */
export const DateTimeText = z.stringFormat('date-time', (text) => parseDateTime(text) !== null);
