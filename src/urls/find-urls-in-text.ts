import { parseTyped } from './shortenable-url.ts';

/** Where an address begins in running text, up to what ends one in any language: space, quotes, brackets of markup. */
const IN_TEXT = /(?:https?:\/\/|\bwww\.)[^\s<>"`{}|\\^“”«»\u3000-\u303f\uff00-\uffef]+/gi;

/** Addresses in a row, of a list or a table, with nothing but this between them. */
const BETWEEN = /[,;](?=https?:\/\/)/i;

/** What closes the sentence around an address, not the address. */
const CLOSING = /[.,;:!?’'*_…]/;

/**
 * The addresses in a text, each once, in their order, as they stand there: whatever starts with `http://`, `https://` or
 * `www.`, and a line that is nothing but an address, also without a scheme.
 */
export function findUrlsInText(text: string): string[] {
  const found = text.split(/[\r\n]+/).flatMap((line) => {
    const inText = (line.match(IN_TEXT) ?? []).flatMap((part) => part.split(BETWEEN)).map(withoutClosing);
    return inText.length > 0 ? inText : [line.trim()];
  });
  return [...new Set(found.flatMap((part) => hrefOf(part) ?? []))];
}

function hrefOf(text: string): string | null {
  const parsed = parseTyped(text);
  return typeof parsed === 'string' ? null : parsed.href;
}

/** A bracket is part of an address only where it was opened in it: `…/wiki/Rain_(river)`. */
function withoutClosing(address: string): string {
  const count = (part: string) => address.split(part).length;
  const unopened: Record<string, number> = { ')': count(')') - count('('), ']': count(']') - count('[') };
  for (let end = address.length; ; end -= 1) {
    const last = address.charAt(end - 1);
    const left = unopened[last] ?? 0;
    if (left <= 0 && !CLOSING.test(last)) return address.slice(0, end);
    unopened[last] = left - 1;
  }
}
