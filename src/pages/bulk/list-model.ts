import { plainCell } from '@terse/contract/csv';
import { MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { findUrlsByLine } from '@terse/contract/urls-in-text';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import type { RefusalCode } from '../../messages/protocol.ts';
import {
  applyUrlDefaults,
  type IsOwnShortUrl,
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
