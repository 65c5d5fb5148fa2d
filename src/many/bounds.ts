import { LARGEST, MOST_ENTRIES } from '../data/contents.ts';
import { type Found, foundInText } from './entries.ts';

/** What a source has of addresses, or that it has more than a list takes in at once. */
export type Taken = Found[] | 'too_much';

/** Whether a text is too long to be read line by line: over millions of lines the page would stand still for a minute. */
export function isTooMuch(text: string): boolean {
  if (text.length > LARGEST) return true;
  const breaks = text.matchAll(/[\r\n]+/g);
  return breaks.drop(MOST_ENTRIES).next().done !== true;
}

/** What was found, where a list takes in so much. */
export function withinLimit(found: Found[]): Taken {
  return found.length > MOST_ENTRIES ? 'too_much' : found;
}

/** The addresses of a text, as far as it is not too much. */
export function takeText(text: string): Taken {
  return isTooMuch(text) ? 'too_much' : withinLimit(foundInText(text));
}
