/** Characters that must be percent-encoded in the query of a URL, as defined by the WHATWG URL standard. */
const UNSAFE = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g;

/**
 * Adds the visitor's query parameters to the long URL of a link. If the visitor and the long URL use the same
 * parameter name, only the visitor's values are kept. The rest of the long URL, including its fragment, remains
 * unchanged.
 *
 * @param requested request target in Node's encoding, with one character per byte
 * @returns `url` if the visitor sent no parameters, or if the result would be longer than `maxBytes`
 */
export function forwardQuery(url: string, requested: string, maxBytes: number): string {
  const sent = queryOf(requested)
    .replace(UNSAFE, percentEncode)
    .split('&')
    .filter((parameter) => parameter !== '');
  if (sent.length === 0) return url;
  const replaced = namesIn(sent.join('&'));
  const [address, fragment] = splitAt(url, '#');
  const [base, query] = splitAt(address, '?');
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => replaced.isDisjointFrom(namesIn(parameter)))
    .join('&');
  const forwarded = `${base}?${kept === '' ? '' : `${kept}&`}${sent.join('&')}${fragment}`;
  return forwarded.length > maxBytes ? url : forwarded;
}

function queryOf(requested: string): string {
  const [address] = splitAt(requested, '#');
  return splitAt(address, '?')[1].slice(1);
}

/**
 * Splits a string before the first occurrence of a character. If the character does not occur, the second part is
 * empty.
 */
function splitAt(text: string, character: string): [string, string] {
  const at = text.indexOf(character);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function percentEncode(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Returns the decoded names of parameters. A leading ampersand prevents `URLSearchParams` from removing a question
 * mark at the start of the first name.
 */
function namesIn(query: string): Set<string> {
  return new Set(new URLSearchParams(`&${query}`).keys());
}
