import type { IncomingHttpHeaders } from 'node:http';

/** Where browsers say why they ask: the header of the Fetch standard first, then those of older Chromium, Firefox and Safari. */
const HEADERS = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'] as const;

/** Whether a browser fetches ahead what a person may open later, as for a link that it expects to be followed. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  for (const name of HEADERS) {
    const purpose = headers[name];
    if (typeof purpose === 'string' && /^\s*(prefetch|preview)\b/i.test(purpose)) return true;
  }
  return false;
}
