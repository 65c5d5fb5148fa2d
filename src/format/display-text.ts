import type { Connection } from '../queue/types.ts';

/** More than a title needs, and little enough for any page to lay out. In UTF-16 units. */
const SHOWN = 1_000;

/** Marks, embeddings, overrides and isolates: they turn what is read around, and nobody sees them. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Text of a page or a service as it is shown: bounded, and without what would make it read as something else. */
export function displayText(text: string): string {
  return text.slice(0, SHOWN).replace(BIDI_CONTROLS, '').trim();
}

/** A URL cut into what tells it apart, for display: `https://` and a lone slash say nothing. */
export function displayUrl(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return { host: '', rest: displayText(url) };
  const rest = readable(parsed.pathname + parsed.search + parsed.hash);
  return { host: parsed.host, rest: rest === '/' ? '' : rest };
}

/**
 * Returns the host of a short URL if it is not the usual host of the connection's service, so that the user notices. A link
 * without a connection has no usual host.
 */
export function otherHost({ shortUrl }: { shortUrl: string }, connection: Connection | undefined): string | null {
  const { host } = displayUrl(shortUrl);
  if (!connection) return host;
  return host === displayUrl(connection.service?.shortBaseUrl ?? connection.baseUrl).host ? null : host;
}

/** Escapes undone for reading, except where that would not survive (half an escape, an invisible character). */
function readable(path: string): string {
  try {
    const decoded = decodeURI(path);
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

/**
 * What each connection is called, by its id: the person's name for it, else its host. Two that would read the same are
 * told apart by the end of their keys.
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
