import browser from '../platform/browser.ts';

/*
 * Pages that are opened from a private window. Chromium opens them in an ordinary one, and does not tell them where they
 * come from, so their addresses do.
 */

/** The parameter of their addresses, whatever its value. */
export const PRIVATE = 'private';

/** The address of a page, such as `many` with `group=1`. `isPrivate`: it shows what belongs to private windows too. */
export function pageAddress(page: string, isPrivate: boolean, query = ''): string {
  const asked = [query, isPrivate ? PRIVATE : ''].filter(Boolean).join('&');
  return browser.runtime.getURL(`src/${page}/index.html${asked && `?${asked}`}`);
}

/** Whether this page shows what belongs to private windows. */
export function showsPrivate(): boolean {
  return new URLSearchParams(location.search).has(PRIVATE) || (browser.extension.inIncognitoContext ?? false);
}
