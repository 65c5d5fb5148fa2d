import { parseTyped } from './shortenable-url-rules.ts';

/**
 * Matches a URL in text. A URL ends at whitespace, at a character that URLs cannot contain (such as `<` or `"`), or
 * at a full-width character.
 */
const IN_TEXT = /(?:https?:\/\/|\bwww\.)[^\s<>"`{}|\\^“”«»\u3000-\u303f\uff00-\uffef]+/gi;

/** Separator between URLs in a list or table. */
const SEPARATOR = /[,;](?=https?:\/\/)/i;

/** Punctuation that is removed from the end of a URL. */
const END_PUNCTUATION = /[.,;:!?’'*_…]/;

/**
 * Returns the URLs in a text, in order and without duplicates. A URL must start with `http://`, `https://` or `www.`,
 * unless it is alone on its line.
 */
export function findUrlsInText(text: string): string[] {
  const found = text.split(/[\r\n]+/).flatMap((line) => {
    const inText = (line.match(IN_TEXT) ?? []).flatMap((part) => part.split(SEPARATOR)).map(withoutEndPunctuation);
    return inText.length > 0 ? inText : [line.trim()];
  });
  return [...new Set(found.flatMap((part) => hrefOf(part) ?? []))];
}

function hrefOf(text: string): string | null {
  const parsed = parseTyped(text);
  return typeof parsed === 'string' ? null : parsed.href;
}

/**
 * Removes punctuation after a URL. A closing bracket is kept if the URL contains the opening one:
 * `…/wiki/Rain_(river)`.
 */
function withoutEndPunctuation(address: string): string {
  const count = (part: string) => address.split(part).length;
  const unopened: Record<string, number> = { ')': count(')') - count('('), ']': count(']') - count('[') };
  for (let end = address.length; ; end -= 1) {
    const last = address.charAt(end - 1);
    const left = unopened[last] ?? 0;
    if (left <= 0 && !END_PUNCTUATION.test(last)) return address.slice(0, end);
    unopened[last] = left - 1;
  }
}
