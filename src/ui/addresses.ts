import { isWebAddress } from '../target/target.ts';

/** A URL cut into what tells it apart, for display: `https://` and a lone slash say nothing. */
export function shown(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url);
  if (!parsed || !isWebAddress(url)) return { host: '', rest: url };
  const rest = readable(parsed.pathname + parsed.search + parsed.hash);
  return { host: parsed.host, rest: rest === '/' ? '' : rest };
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
