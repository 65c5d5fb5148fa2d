import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import { decode } from '../../import-export/text-encoding.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { type Found, foundInCsv, foundInText, isTooMuch, type Taken, takeText, withinLimit } from './list-model.ts';

/**
 * Reads the URLs in a file: the links in HTML, the URL column in CSV, and all URLs in other text.
 *
 * @throws if the file cannot be read
 */
export async function readFile(file: File): Promise<Taken | 'not_text'> {
  if (file.size > MAX_FILE_SIZE) return 'too_much';
  const decoded = decode(new Uint8Array(await file.arrayBuffer()));
  if (!decoded) return 'not_text';
  const text = decoded.text.replace(/^\uFEFF/, '');
  const isHtml = /html/.test(file.type) || /\.html?$/i.test(file.name);
  const isCsv = /csv/.test(file.type) || /\.(csv|tsv)$/i.test(file.name);
  if (isHtml) return withinLimit(foundInHtml(text));
  if (isTooMuch(text)) return 'too_much';
  return withinLimit(isCsv ? foundInCsv(text) : foundInText(text));
}

/**
 * Returns the links in a web page or in exported bookmarks. The HTML is only parsed: nothing in it is loaded or
 * executed.
 */
export function foundInHtml(html: string): Found[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  const webBase = isWebUrl(base) ? URL.parse(base) : null;
  return [...page.querySelectorAll('a[href]')].flatMap((anchor) => {
    const text = anchor.getAttribute('href')?.trim() ?? '';
    // A URL that consists only of a fragment points to a place in the same page.
    return text === '' || text.startsWith('#')
      ? []
      : [{ ...linkTarget(text, webBase), title: anchor.textContent.trim() }];
  });
}

function linkTarget(text: string, base: URL | null): Pick<Found, 'text' | 'isRelative'> {
  if (URL.canParse(text)) return { text };
  const resolved = URL.parse(text.startsWith('//') ? `${base?.protocol ?? 'https:'}${text}` : text, base?.href);
  return resolved ? { text: resolved.href } : { text, isRelative: true };
}

/**
 * Reads pasted or dropped data: files, dragged links or text. If the plain text contains no URL, reads the links in
 * the HTML instead. This finds the links in a list that the user copied from a web page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; found: Taken } {
  const files = [...transfer.files];
  if (files.length > 0) return { files, found: [] };
  const [uris, text] = [transfer.getData('text/uri-list'), transfer.getData('text/plain')];
  if (isTooMuch(uris)) return { files, found: 'too_much' };
  // Lines that start with a number sign are comments (RFC 2483).
  const dragged = uris.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (dragged.length > 0) return { files, found: withinLimit(dragged.map((one) => ({ text: one, title: '' }))) };
  const html = /https?:/i.test(text) ? '' : transfer.getData('text/html');
  if (html.length > MAX_FILE_SIZE) return { files, found: 'too_much' };
  const links = foundInHtml(html).filter((link) => /^https?:/i.test(link.text));
  return { files, found: links.length > 0 ? withinLimit(links) : takeText(text) };
}

/**
 * Requests the permission to read the URLs of open tabs. Must be called in the click handler, before the first
 * `await`.
 */
export function askForTabs(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['tabs'] });
}

/**
 * Removes the permission, so that the extension cannot read tabs later. A permission that an administrator granted is
 * kept.
 */
export async function giveBackTabs(): Promise<void> {
  await browser.permissions.remove({ permissions: ['tabs'] }).catch(() => undefined);
}

/** Returns the tabs of this page's window, except private tabs and the extension's own pages. */
export async function tabsOfWindow(): Promise<Found[]> {
  return found(await browser.tabs.query({ currentWindow: true }));
}

/** Returns the tabs with the given ids. Private tabs, and tabs that were closed, are left out. */
export async function tabsByIds(ids: number[]): Promise<Found[]> {
  const tabs = await Promise.all(ids.map((id) => browser.tabs.get(id).catch(() => null)));
  return found(tabs.filter((tab) => tab !== null));
}

function found(tabs: Tabs.Tab[]): Found[] {
  const own = browser.runtime.getURL('');
  return tabs.flatMap(({ url, title, incognito }) =>
    url && !incognito && !url.startsWith(own) ? [{ text: url, title: title ?? '', isNamed: true } as const] : [],
  );
}
