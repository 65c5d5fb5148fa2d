import { isReserved, isShortCode } from './codes.ts';

/** The longest code that a link can have, in characters: the services that links come from take no more. */
export const LONGEST_CODE = 255;

/** Maximum number of characters that one letter of a code can be decomposed into. */
const MAX_DECOMPOSED = 4;

/** What no code holds: blanks and controls, marks that turn text around, and what ends or escapes a path in a URL. */
const FORBIDDEN = /[\p{Z}\p{Cc}\p{Bidi_Control}?#%\\]/u;

/** Paths that clients ask a host for by themselves. In lower case. */
const OWN_PATHS = new Set(['favicon.ico', 'robots.txt', 'security.txt', 'sitemap.xml', 'apple-touch-icon.png']);

/**
 * Whether a text can be the code of a link. Links that were imported keep theirs, which may have a single character, several
 * segments (`team/2026/plan`) or other letters than ours (`🚀`); `isShortCode` is the stricter rule for new ones.
 */
export function isLinkCode(text: string): boolean {
  if (isShortCode(text)) return true;
  if (text.length > LONGEST_CODE || FORBIDDEN.test(text) || !text.isWellFormed() || isOwnPath(text)) return false;
  // A browser takes `.` and `..` out of a path before it asks for it.
  return text.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** Whether a path of the short host is none of a link's, whatever links there are. */
function isOwnPath(path: string): boolean {
  const lower = path.toLowerCase();
  return OWN_PATHS.has(lower) || lower.split('/', 1)[0] === '.well-known';
}

/** What is wrong with the code of a link that comes from another service; null where nothing is. */
export function importedCodeFault(code: string, mayUseReserved: boolean): 'malformed' | 'reserved' | null {
  if (isOwnPath(code)) return 'reserved';
  if (!isLinkCode(code)) return 'malformed';
  return mayUseReserved || !isReserved(code.split('/', 1)[0] as string) ? null : 'reserved';
}

/**
 * The code that a URL's path stands for, its first slash left out; null where it cannot be one. Percent-encoded letters are
 * the same (RFC 3986, section 2.3), an accent may be composed either way, and addresses are often pasted with a trailing slash.
 */
export function codeInPath(path: string): string | null {
  if (isShortCode(path)) return path;
  try {
    const code = composedCode(decodeURIComponent(path.replace(/\/$/, '')));
    return isLinkCode(code) ? code : null;
  } catch {
    // Not UTF-8.
    return null;
  }
}

/** A code in its normalized form (NFC). A text that is too long for any code is returned unchanged: normalizing it could take seconds. */
export function composedCode(code: string): string {
  return code.length > LONGEST_CODE * MAX_DECOMPOSED ? code : code.normalize('NFC');
}

/** The path of a code in a URL, without its first slash. */
export function codePath(code: string): string {
  return isShortCode(code) ? code : code.split('/').map(encodeURIComponent).join('/');
}
