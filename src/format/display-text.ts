import type { Connection } from '../queue/types.ts';

/** Maximum length of displayed text, in UTF-16 units. Titles are shorter, and any page can lay it out. */
const SHOWN = 1_000;

/** Invisible characters that change the direction of text: marks, embeddings, overrides and isolates. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Returns text from a page or a server for display: shortened, and without invisible characters that would change how
 * it reads.
 */
export function displayText(text: string): string {
  return text.slice(0, SHOWN).replace(BIDI_CONTROLS, '').trim();
}

/** Splits a URL into host and rest for display. `https://` and a lone slash are dropped. */
export function displayUrl(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return { host: '', rest: displayText(url) };
  const rest = readable(parsed.pathname + parsed.search + parsed.hash);
  return { host: parsed.host, rest: rest === '/' ? '' : rest };
}

/**
 * Returns the host of a short URL if it is not the usual host of the connection's server; otherwise null. Users who share
 * the link should notice another host. A link without a connection has no usual host.
 */
export function otherHost({ shortUrl }: { shortUrl: string }, connection: Connection | undefined): string | null {
  const { host } = displayUrl(shortUrl);
  if (!connection) return host;
  return host === displayUrl(connection.service?.shortBaseUrl ?? connection.baseUrl).host ? null : host;
}

/** Decodes percent-escapes for reading, except those that would give invalid or invisible characters. */
function readable(path: string): string {
  try {
    const decoded = decodeURI(path);
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

/**
 * Returns the display name of each connection by its id: the user's name for it, or else its host. If two names are
 * equal, the end of the API key is added.
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
