/** Data that a phone's share menu sends. Android often puts the URL into `text`, alone or with other words. */
export interface Shared {
  title: string;
  text: string;
  url: string;
}

/**
 * Pattern for a URL in text. A URL ends before a space, a quotation mark, a bracket such as `<` or `{`, or a
 * full-width character.
 */
const URL_IN_TEXT = /(?:https?:\/\/|\bwww\.)[^\s<>"`{}|\\^“”«»\u3000-\u303f\uff00-\uffef]+/gi;

/**
 * Returns the first shared URL that is a valid target for a link. If there is none, returns the first URL, so that
 * the user sees it. Returns null if no URL was shared.
 */
export function findSharedUrl({ title, text, url }: Shared, isUsable: (url: string) => boolean): string | null {
  const found = [url, text, title].flatMap((shared) => (shared.match(URL_IN_TEXT) ?? []).map(normalizeFound));
  return found.find(isUsable) ?? found[0] ?? null;
}

function normalizeFound(found: string): string {
  return withoutEndPunctuation(/^www\./i.test(found) ? `https://${found}` : found);
}

/** Punctuation that follows a URL in a sentence. The punctuation does not belong to the URL. */
const END_PUNCTUATION = /[.,;:!?’'*_…]/;

/**
 * Removes punctuation after a URL. Keeps a closing bracket if the URL contains the opening bracket: `/Rain_(river)`.
 */
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
