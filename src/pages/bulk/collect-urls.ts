import { plainCell } from '@terse/contract/csv';
import { MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { detectUtf16 } from '@terse/contract/text-encoding';
import { findUrlsByLine } from '@terse/contract/urls-in-text';
import browser from '../../browser/browser.ts';
import { pageTitle } from '../../browser/tabs.ts';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import type { RefusalCode } from '../../messages/protocol.ts';
import {
  applyUrlDefaults,
  type IsOwnShortUrl,
  isWebUrl,
  type NotShortenable,
  pageTarget,
  typedTarget,
  type UrlDefaults,
} from '../../urls/shortenable-url-rules.ts';

/** A line of the list. Each URL has only one entry. */
export interface Entry {
  /**
   * Id of the future request. It is generated together with the entry, so sending the list twice creates no
   * duplicates.
   */
  id: string;
  /** The cleaned-up URL, or the unchanged text if it cannot be shortened. */
  url: string;
  title: string;
  userInfoRemoved: boolean;
  /** Reason why the URL cannot be shortened. Null if it can. */
  problem: NotShortenable | RefusalCode | null;
}

/** A URL found in a source, before it is cleaned up. */
export interface Found {
  /** The URL, or the text that was found instead of a URL. */
  text: string;
  title: string;
  /** True if the URL is the address of an open tab, not text that the user typed. */
  isNamed?: true;
}

/** Maximum number of URLs that can be sent as one list. */
export const MAX_URLS = 1_000;

/**
 * Finds the URLs in a text, line by line. Lines without a URL are returned too, so that the user can see what is
 * wrong with them. If the text is a table with column names, only the column of long URLs is read.
 */
export function foundInText(text: string): Found[] {
  return foundInColumn(text) ?? foundInLines(text);
}

function foundInLines(text: string): Found[] {
  const lines = findUrlsByLine(text);
  // In a table with a single column, the first line may be the column's name.
  const isNamed = urlColumn([lines[0]?.line ?? '']) === 0;
  return lines
    .slice(isNamed ? 1 : 0)
    .flatMap(({ line, urls }) => (urls.length > 0 ? urls : [line]).map((one) => ({ text: one, title: '' })));
}

/**
 * Returns the URLs of a table with their titles. Returns null if the text is no table with column names, or if its
 * quotation marks are wrong.
 */
function foundInColumn(text: string): Found[] | null {
  try {
    const rows = readCsvText(text)
      .map(({ cells }) => cells.map((cell) => plainCell(cell).trim()))
      .filter((cells) => cells.some((cell) => cell !== ''));
    const header = rows.next().value ?? [];
    const [url, title] = [urlColumn(header), columnOf(header, TITLES)];
    if (url === -1 || header.length < 2) return null;
    const found = rows.map((cells) => ({ text: cells[url] || cells.join(' ').trim(), title: cells[title] ?? '' }));
    return [...found.take(MAX_ENTRIES + 1)];
  } catch (error) {
    if (error instanceof MalformedCsv) return null;
    throw error;
  }
}

/** Adds found URLs to a list, each of them once. */
export function withFound(
  list: Entry[],
  found: Found[],
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
  newId: () => string,
): Entry[] {
  const entries = new Map(list.map((entry) => [entry.url, entry]));
  for (const { text, title, isNamed } of found) {
    const target = isNamed ? pageTarget(text, isOwn) : typedTarget(text, isOwn);
    const isBlocked = 'blocked' in target;
    const url = isBlocked ? text : applyUrlDefaults(target.url, defaults);
    const userInfoRemoved = !isBlocked && target.userInfoRemoved;
    const problem = isBlocked ? target.blocked : null;
    const known = entries.get(url) ?? { id: newId(), url, title: '', userInfoRemoved };
    entries.set(url, { ...known, title: known.title || title, problem });
  }
  return [...entries.values()];
}

/** URLs found in a source, or `too_much` if the source is too long or contains too many URLs. */
export type Taken = Found[] | 'too_much';

/**
 * Returns the URLs that `find` finds in a text, or `too_much` if the text is too long or contains too many lines or
 * URLs. Searching millions of lines would block the page for a minute.
 */
export function takeText(text: string, find = foundInText): Taken {
  const breaks = text.matchAll(/[\r\n]+/g);
  const isTooLong = text.length > MAX_FILE_SIZE || breaks.drop(MAX_ENTRIES).next().done !== true;
  const found = isTooLong ? [] : find(text);
  return isTooLong || found.length > MAX_ENTRIES ? 'too_much' : found;
}

/** Normalized names of the columns of long URLs in known export formats, most reliable first. */
const URLS = [
  'longurl',
  'longlink',
  'originalurl',
  'original',
  'destinationurl',
  'destination',
  'targeturl',
  'target',
  'url',
];

/** Normalized names of the columns of titles in known export formats, most reliable first. */
const TITLES = ['title', 'name', 'description', 'comment', 'notes', 'note'];

function urlColumn(header: string[]): number {
  return columnOf(header, URLS);
}

/** Returns the index of a column, or -1. Ignores differences in case, spaces and punctuation. */
function columnOf(header: string[], names: string[]): number {
  const plain = header.map((one) => one.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return plain.indexOf(names.find((name) => plain.includes(name)) ?? '');
}

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
 * Reads pasted or dropped text or links. If the plain text contains no URL, reads the links in the HTML instead. This
 * finds the links in a list that the user copied from a web page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'getData'>): Taken {
  const text = transfer.getData('text/plain') || transfer.getData('text/uri-list');
  const html = /https?:/i.test(text) ? '' : transfer.getData('text/html');
  const links = takeText(html, (all) => foundInHtml(all).filter((link) => isWebUrl(link.text)));
  return links.length > 0 ? links : takeText(text);
}

/**
 * Returns the tabs of this page's window, except private tabs and the extension's own pages. Null if the user does not
 * allow it. Must be called in the click handler, before the first `await`.
 */
export async function readTabs(): Promise<Found[] | null> {
  const permission = { permissions: ['tabs' as const] };
  if (!(await browser.permissions.request(permission))) return null;
  try {
    const own = browser.runtime.getURL('');
    const tabs = await browser.tabs.query({ currentWindow: true });
    return tabs.flatMap((tab) =>
      tab.url && !tab.incognito && !tab.url.startsWith(own)
        ? [{ text: tab.url, title: pageTitle(tab), isNamed: true } as const]
        : [],
    );
  } finally {
    // The extension cannot read tabs later. A permission that an administrator granted is kept.
    await browser.permissions.remove(permission).catch(() => undefined);
  }
}
