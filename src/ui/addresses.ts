import { shownText } from '../platform/text.ts';
import type { Connection } from '../queue/types.ts';

/** A URL cut into what tells it apart, for display: `https://` and a lone slash say nothing. */
export function shown(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return { host: '', rest: shownText(url) };
  const rest = readable(parsed.pathname + parsed.search + parsed.hash);
  return { host: parsed.host, rest: rest === '/' ? '' : rest };
}

/**
 * The host of a short URL, where it is not the one that its service gives out links on: whoever passes the link on should
 * know. Null where it is the service's, or the connection is gone. Of a link that only a file tells of, any host is another.
 */
export function otherHost(
  { shortUrl, unconfirmed }: { shortUrl: string; unconfirmed?: true | undefined },
  connection: Connection | undefined,
): string | null {
  const { host } = shown(shortUrl);
  if (unconfirmed) return host;
  if (!connection) return null;
  return host === shown(connection.service?.shortBaseUrl ?? connection.baseUrl).host ? null : host;
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
