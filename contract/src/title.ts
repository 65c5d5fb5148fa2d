import * as z from 'zod/mini';

/** The longest title kept with a link, in Unicode code points: an emoji counts once, as in JSON Schema's `maxLength`. */
export const TITLE_LIMIT = 300;

/** Whether a text is short enough for a title. */
export function isTitle(text: string): boolean {
  return text.length <= TITLE_LIMIT || [...text].length <= TITLE_LIMIT;
}

/** A title as a client may send it. */
export const TitleText = z.string().check(z.maxLength(TITLE_LIMIT));
