import { detectUtf16 } from '@terse/contract/text-encoding';
import browser from '../../browser/browser.ts';
import { MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { type Found, type Taken, takeText } from './list-model.ts';

/**
 * Reads the URLs in a file: the links in HTML, the URL column of a table, and all URLs in other text.
 *
 * @throws if the file cannot be read
 */
export async function readFile(file: File): Promise<Taken | 'not_text'> {
  if (file.size > MAX_FILE_SIZE) return 'too_much';
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  if (text === null) return 'not_text';
  const isHtml = /html/.test(file.type) || /\.html?$/i.test(file.name);
  return isHtml ? takeText(text, foundInHtml) : takeText(text);
}

/** Number of bytes from which UTF-16 is detected. */
const HEAD_LENGTH = 4_096;

/**
 * Decodes a text file as UTF-16, UTF-8 or Windows-1252, tried in this order. Returns null if the file is not text.
 */
function decode(bytes: Uint8Array): string | null {
  const encoding = detectUtf16(bytes.subarray(0, HEAD_LENGTH)) ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    if (encoding !== 'utf-8' || bytes.includes(0)) return null;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Returns the links in a web page or in exported bookmarks. The HTML is only parsed: nothing in it is loaded or
 * executed. Links within the page, and relative links in HTML that does not specify a base URL, are left out.
 */
export function foundInHtml(html: string): Found[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  const webBase = isWebUrl(base) ? base : undefined;
  return [...page.querySelectorAll('a[href]')].flatMap((anchor) => {
    const text = anchor.getAttribute('href')?.trim() ?? '';
    const isLocal = text === '' || text.startsWith('#');
    const url = URL.parse(text.startsWith('//') && !webBase ? `https:${text}` : text, webBase)?.href;
    return isLocal || url === undefined ? [] : [{ text: url, title: anchor.textContent.trim() }];
  });
}

/**
 * Reads pasted or dropped data: files, dragged links or text. If the plain text contains no URL, reads the links in
 * the HTML instead. This finds the links in a list that the user copied from a web page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; found: Taken } {
  const files = [...transfer.files];
  if (files.length > 0) return { files, found: [] };
  const text = transfer.getData('text/plain') || transfer.getData('text/uri-list');
  const html = /https?:/i.test(text) ? '' : transfer.getData('text/html');
  const links = takeText(html, (all) => foundInHtml(all).filter((link) => isWebUrl(link.text)));
  return { files, found: links.length > 0 ? links : takeText(text) };
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
  const own = browser.runtime.getURL('');
  const tabs = await browser.tabs.query({ currentWindow: true });
  return tabs.flatMap(({ url, title, incognito }) =>
    url && !incognito && !url.startsWith(own) ? [{ text: url, title: title ?? '', isNamed: true } as const] : [],
  );
}
