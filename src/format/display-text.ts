import type { Connection } from '../queue/types.ts';
import { shortBaseUrlOf } from '../services/known-service.ts';

/** Maximum length of text on a page, in UTF-16 code units. */
const SHOWN = 1_000;

/** Unicode control characters that change the direction of text. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Prepares untrusted text for display: trims and truncates it, and removes characters that change the text direction.
 */
export function displayText(text: string): string {
  return text.slice(0, SHOWN).replace(BIDI_CONTROLS, '').trim();
}

/** Splits a URL for display into its host and the rest. Omits `https://` and a lone slash. */
export function displayUrl(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return { host: '', rest: displayText(url) };
  const rest = readable(parsed.pathname + parsed.search + parsed.hash);
  return { host: parsed.host, rest: rest === '/' ? '' : rest };
}

/**
 * Returns the host of a short URL if it differs from the usual host of the connected server; otherwise returns null.
 * Pages show this host so that users notice an unexpected domain before they share the link.
 */
export function otherHost({ shortUrl }: { shortUrl: string }, connection: Connection | undefined): string | null {
  const { host } = displayUrl(shortUrl);
  if (!connection) return host;
  return host === displayUrl(usualBaseUrl(connection)).host ? null : host;
}

/**
 * Returns the address in front of a connection's new short codes. If this address is unknown, returns the server's
 * address.
 */
export function usualBaseUrl({ service, domain, baseUrl }: Connection): string {
  return (service && shortBaseUrlOf(service, domain)) || baseUrl;
}

/**
 * Decodes the percent-escapes in a URL path for display. If decoding fails or reveals invisible characters, returns
 * the path unchanged.
 */
function readable(path: string): string {
  try {
    const decoded = decodeURI(path);
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

/**
 * Returns the display name of each connection, by connection id. This is the name that the user chose or, if there is
 * none, the host. If two connections have the same name, the last characters of their API keys are appended.
 */
export function connectionNames(connections: Connection[]): Map<string, string> {
  const plain = connections.map(({ name, baseUrl }) => displayText(name) || displayUrl(baseUrl).host);
  return new Map(
    connections.map(({ id, lastFour }, index) => {
      const name = plain[index] ?? '';
      const isAlone = plain.filter((one) => one === name).length === 1;
      return [id, isAlone ? name : `${name} (…${lastFour})`];
    }),
  );
}
