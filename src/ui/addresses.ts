/** Whether a link may be opened from a page of ours: `javascript:` and the like never become an `href`. */
export function isWebAddress(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

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
