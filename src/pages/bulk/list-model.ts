import { plainCell } from '@terse/contract/csv';
import { detectCsvLayout, MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { findUrlsByLine, findUrlsInRow } from '@terse/contract/urls-in-text';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import type { Request } from '../../queue/types.ts';
import {
  type IsOwnShortUrl,
  type NotShortenable,
  pageTarget,
  type Target,
  typedTarget,
} from '../../urls/shortenable-url-rules.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** An entry of a list. Each URL has only one entry. */
export interface Entry {
  /**
   * Id of the future request. It is generated together with the entry, so sending the list twice creates no
   * duplicates.
   */
  id: string;
  /** The cleaned-up URL. */
  url: string;
  title: string;
  /** Number of times the URL appeared in the source. */
  times: number;
  userInfoRemoved: boolean;
}

/** Text that cannot be shortened, stored exactly as it was found. */
export interface Invalid {
  id: string;
  text: string;
  reason: NotShortenable;
}

/** A URL found in a source, before it is cleaned up. */
export interface Found {
  /** The URL, or the text that was found instead of a URL. */
  text: string;
  title: string;
  /** True if the URL is the address of an open tab, not text that the user typed. */
  isNamed?: true;
  /** True for a relative link in HTML that does not specify a base URL. */
  isRelative?: true;
}

export interface AddressList {
  entries: Entry[];
  invalid: Invalid[];
}

export const EMPTY_LIST: AddressList = { entries: [], invalid: [] };

/** Maximum number of URLs that can be sent as one list. */
export const MAX_URLS = 1_000;

/**
 * Finds the URLs in a text, line by line. Lines without a URL are returned too, so that the user can see what is
 * wrong with them. If the text is a table with column names, only the column of long URLs is read.
 */
export function foundInText(text: string): Found[] {
  return (hasColumnNames(text) && foundInTable(text)) || foundInLines(text);
}

/** Finds the URLs in a CSV file. If the file has no column of long URLs, all cells are searched. */
export function foundInCsv(text: string): Found[] {
  return foundInTable(text) ?? foundInLines(text);
}

function foundInLines(text: string): Found[] {
  return findUrlsByLine(text).flatMap(({ line, urls }) => urlsOr(urls, line));
}

/** Returns the URLs of a table with their titles. Returns null if the quotation marks of the table are wrong. */
function foundInTable(text: string): Found[] | null {
  const table = readRows(text);
  if (!table) return null;
  const [header = [], ...rows] = table;
  const { url, title } = recognizeColumns(header);
  if (url === undefined)
    return table.flatMap((cells) => urlsOr(findUrlsInRow(cells).urls, cells.find((cell) => cell.trim() !== '') ?? ''));
  const cell = (row: string[], name: string | undefined) => row[header.indexOf(name ?? '')]?.trim() ?? '';
  return rows.map((row) => ({ text: cell(row, url) || row.join(' ').trim(), title: cell(row, title) }));
}

function hasColumnNames(text: string): boolean {
  const { delimiter, header } = detectCsvLayout(text);
  if (header === 2) return true;
  const names =
    text
      .trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.split(delimiter) ?? [];
  return names.length > 1 && recognizeColumns(names.map((name) => name.replaceAll('"', ''))).url !== undefined;
}

/** Returns the URLs that were found, or the text if there are none. */
function urlsOr(urls: string[], text: string): Found[] {
  return (urls.length > 0 ? urls : [text]).map((one) => ({ text: one, title: '' }));
}

/** Adds found URLs to a list. A duplicate only increases the count of its entry. */
export function withFound(
  list: AddressList,
  found: Found[],
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
  newId: () => string,
): AddressList {
  const entries = new Map(list.entries.map((entry) => [entry.url, entry]));
  const invalid = new Map(list.invalid.map((one) => [one.text, one]));
  for (const one of found) {
    const { text, title } = one;
    const target = targetOf(one, isOwn);
    if ('blocked' in target) {
      if (!invalid.has(text)) invalid.set(text, { id: newId(), text, reason: target.blocked });
      continue;
    }
    const { userInfoRemoved } = target;
    const url = applyUrlDefaults(target.url, defaults);
    const known = entries.get(url);
    const next = known
      ? { ...known, title: known.title || title, times: known.times + 1 }
      : { id: newId(), url, title, times: 1, userInfoRemoved };
    entries.set(url, next);
  }
  return { entries: [...entries.values()], invalid: [...invalid.values()] };
}

function targetOf({ text, isNamed, isRelative }: Found, isOwn: IsOwnShortUrl): Target {
  if (isRelative) return { blocked: 'not_a_url' };
  return isNamed ? pageTarget(text, isOwn) : typedTarget(text, isOwn);
}

/** URLs found in a source, or `too_much` if the source is too long or contains too many URLs. */
export type Taken = Found[] | 'too_much';

/**
 * True if the text is too long to be searched for URLs. Searching millions of lines would block the page for a
 * minute.
 */
export function isTooMuch(text: string): boolean {
  if (text.length > MAX_FILE_SIZE) return true;
  const breaks = text.matchAll(/[\r\n]+/g);
  return breaks.drop(MAX_ENTRIES).next().done !== true;
}

/** Returns the found URLs, or `too_much` if there are more than `MAX_ENTRIES`. */
export function withinLimit(found: Found[]): Taken {
  return found.length > MAX_ENTRIES ? 'too_much' : found;
}

/** Returns the URLs in the text, or `too_much` if the text is too long or contains too many URLs. */
export function takeText(text: string): Taken {
  return isTooMuch(text) ? 'too_much' : withinLimit(foundInText(text));
}

/**
 * Returns the URLs of requests that are not finished or whose link may already exist. Failed requests are left out,
 * so that the user can send their URLs again.
 */
export function urlsInQueue(requests: readonly Request[]): Set<string> {
  return new Set(requests.filter(({ state }) => state !== 'failed').map(({ url }) => url));
}

/**
 * Reads the rows of a table that are not blank, including the row with the column names. Stops after the maximum
 * number of entries and one more. Returns null if the quotation marks are wrong.
 */
function readRows(text: string): string[][] | null {
  const rows = readCsvText(text)
    .map(({ cells }) => cells.map(plainCell))
    .filter((cells) => cells.some((cell) => cell.trim() !== ''));
  try {
    return [...rows.take(MAX_ENTRIES + 2)];
  } catch (error) {
    if (error instanceof MalformedCsv) return null;
    throw error;
  }
}

/** Normalized names of the columns of long URLs and of titles in known export formats, most reliable first. */
const NAMES = {
  url: [
    'longurl',
    'longlink',
    'originalurl',
    'original',
    'destinationurl',
    'destination',
    'targeturl',
    'target',
    'url',
  ],
  title: ['title', 'name', 'description', 'comment', 'notes', 'note'],
};

/** Finds the columns of long URLs and titles. Ignores differences in case, spaces and punctuation. */
function recognizeColumns(headers: string[]): { url: string | undefined; title: string | undefined } {
  const columnOf = (names: string[]) =>
    names.map((name) => headers.find((header) => plain(header) === name)).find((header) => header !== undefined);
  return { url: columnOf(NAMES.url), title: columnOf(NAMES.title) };
}

/** Normalizes a column name, so that "Long URL", "long_url" and "longUrl" become the same name. */
function plain(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
