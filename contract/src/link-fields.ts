import * as z from 'zod/mini';

/** Valid custom short codes. Generated short codes also match this pattern. */
export const SHORT_CODE_PATTERN = /^[A-Za-z0-9_-]{3,64}$/;

/** Maximum length of a title in Unicode code points, the unit that `maxLength` in JSON Schema also uses. */
export const TITLE_LIMIT = 300;

export function isTitle(text: string): boolean {
  return text.length <= TITLE_LIMIT || [...text].length <= TITLE_LIMIT;
}

export const TitleText = z.string().check(z.maxLength(TITLE_LIMIT));

/** Maximum length of a tag in Unicode code points, like that of a title. */
export const TAG_LENGTH_LIMIT = 50;

/** Valid tags. The flag `u` makes the pattern count code points. */
export const TAG_PATTERN = /^[^,]{1,50}$/u;

export const TAGS_LIMIT = 10;

/**
 * A tag. Spaces at the start and end are removed. Commas are not allowed, because they separate tags in forms and
 * files.
 */
export const TagText = z.string().check(z.trim(), z.regex(TAG_PATTERN));

/** Tags of a link. If several tags differ only in case, only the first of them is stored. */
export const TagList = z.array(TagText).check(z.maxLength(TAGS_LIMIT));

const Iso = z.iso.datetime({ offset: true });
const DAY = 86_400_000;

/**
 * Parses a date and time in the format of RFC 3339 (section 5.6). The time zone is required, letters may be upper or
 * lower case, and leap seconds are allowed.
 *
 * @returns milliseconds since 1970, or null if the text is invalid. A leap second is converted to the first second of
 * the next day.
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

/** A date and time from a client. In the OpenAPI document, the format of this field is `date-time`. */
export const DateTimeText = z.stringFormat('date-time', (text) => parseDateTime(text) !== null);
