import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser fetches ahead what a person may open later, as for a link that it expects to be followed. It says so in
 * the header of the Fetch standard, or in those of older Chromium, Firefox and Safari. Every redirect asks this, so the names
 * are spelt out: to go through a list of them takes many times as long.
 */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'] ?? headers['x-purpose'];
  return typeof purpose === 'string' && /^\s*(prefetch|preview)\b/i.test(purpose);
}
