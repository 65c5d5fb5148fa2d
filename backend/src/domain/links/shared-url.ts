/** Texts that a phone's share menu sends. Android often puts the URL into the text, with or without other words. */
export interface Shared {
  title: string;
  text: string;
  url: string;
}

/**
 * Matches a URL in text. A URL ends at a space, a quotation mark or an angle bracket, including full-width characters
 * and the quotation marks of other languages.
 */
const URL_IN_TEXT = /(?:https?:\/\/|\bwww\.)[^\s<>"`{}|\\^“”«»\u3000-\u303f\uff00-\uffef]+/i;

/** Returns the first URL that was shared, or null if there is none. */
export function findSharedUrl({ title, text, url }: Shared): string | null {
  for (const shared of [url, text, title]) {
    const [found] = URL_IN_TEXT.exec(shared) ?? [];
    if (found) return withoutEndPunctuation(/^www\./i.test(found) ? `https://${found}` : found);
  }
  return null;
}

/** Punctuation that, at the end of a sentence, is not part of the URL. */
const END_PUNCTUATION = /[.,;:!?’'*_…]/;

/** Removes punctuation after a URL. A closing bracket is kept if the URL contains the opening one: `/Rain_(river)`. */
function withoutEndPunctuation(url: string): string {
  const count = (part: string) => url.split(part).length;
  const unopened: Record<string, number> = { ')': count(')') - count('('), ']': count(']') - count('[') };
  for (let end = url.length; ; end -= 1) {
    const last = url.charAt(end - 1);
    const left = unopened[last] ?? 0;
    if (left <= 0 && !END_PUNCTUATION.test(last)) return url.slice(0, end);
    unopened[last] = left - 1;
  }
}
