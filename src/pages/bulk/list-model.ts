import { plainCell } from '@terse/contract/csv';
import { MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { findUrlsByLine } from '@terse/contract/urls-in-text';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../import-export/import-limits.ts';
import { isLive } from '../../queue/accept.ts';
import type { Link, Request } from '../../queue/types.ts';
import { type IsOwnShortUrl, type NotShortenable, pageTarget, typedTarget } from '../../urls/shortenable-url-rules.ts';
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
  list: AddressList,
  found: Found[],
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
  newId: () => string,
): AddressList {
  const entries = new Map(list.entries.map((entry) => [entry.url, entry]));
  const invalid = new Map(list.invalid.map((one) => [one.text, one]));
  for (const { text, title, isNamed } of found) {
    const target = isNamed ? pageTarget(text, isOwn) : typedTarget(text, isOwn);
    if ('blocked' in target) {
      if (!invalid.has(text)) invalid.set(text, { id: newId(), text, reason: target.blocked });
      continue;
    }
    const { userInfoRemoved } = target;
    const url = applyUrlDefaults(target.url, defaults);
    const known = entries.get(url);
    const next = known ? { ...known, title: known.title || title } : { id: newId(), url, title, userInfoRemoved };
    entries.set(url, next);
  }
  return { entries: [...entries.values()], invalid: [...invalid.values()] };
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

/**
 * Returns the newest reusable link of each URL on a connection. If the user shortens one of these URLs again, its
 * link is reused.
 */
export function liveLinks(links: Link[], connectionId: string, now: number): Map<string, Link> {
  const own = links.filter((link) => link.connectionId === connectionId && isLive(link, now));
  const live = own.sort((one, other) => one.createdAt - other.createdAt);
  return new Map(live.map((link) => [link.url, link]));
}

/**
 * Returns the URLs of requests that are not finished or whose link may already exist. Failed requests are left out,
 * so that the user can send their URLs again.
 */
export function urlsInQueue(requests: readonly Request[]): Set<string> {
  return new Set(requests.filter(({ state }) => state !== 'failed').map(({ url }) => url));
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
