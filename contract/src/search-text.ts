import { readableHost } from './readable-host.ts';

/**
 * Converts text for a search that ignores case in every script. Unicode variants of a letter, such as full-width
 * letters, become the ordinary letter.
 */
export function foldForSearch(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  // By way of upper case, because some letters have the same capital: ß and ss, ς and σ, ı and i. Before that, the
  // capital ẞ must become ß.
  const lower = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFKC');
}

/** Returns the text in which a search looks for parts of a URL: the URL itself, and the URL as people read it. */
export function searchableUrl(url: string): string {
  if (!/%|xn--/i.test(url)) return url;
  const decoded = url.replace(/(?:%[\da-f]{2})+/gi, decodeOrKeep);
  return `${url} ${decoded.replace(/xn--[^/?#:@\s]*/, readableHost)}`;
}

function decodeOrKeep(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    // The escapes are not UTF-8. The URL is searched in its encoded form only.
    return escapes;
  }
}
