import { plainCell } from '@terse/contract/csv';
import Papa from 'papaparse';
import { type Field, MAX_ENTRIES } from './import-limits-and-errors.ts';

/** Entries of a file by their field names. */
export interface Table {
  headers: string[];
  rows: Record<string, string>[];
  /** Path of names to the list in the file. Null if the file is a single list. */
  list: string | null;
  /** True if the file lists the oldest entry first. */
  isReversed: boolean;
}

/** Maximum number of columns. Millions of columns would block the page for minutes. */
const MOST_COLUMNS = 1_000;
const NO_TABLE: Table = { headers: [], rows: [], list: null, isReversed: false };

/** Maximum number of lines. Empty lines are skipped, but they count. */
const MOST_LINES = 4 * MAX_ENTRIES;

/** Parses text separated by commas, semicolons or tabs. Returns null if a quoted field never ends. */
export function readCsv(text: string): Table | 'too_much' | null {
  if (columnsIn(text) > MOST_COLUMNS) return NO_TABLE;
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transform: plainCell,
    preview: MOST_LINES,
  });
  if (meta.truncated || data.length > MAX_ENTRIES) return 'too_much';
  if (errors.some(({ code }) => code === 'MissingQuotes')) return null;
  return { headers: meta.fields ?? [], rows: data, list: null, isReversed: false };
}

/** Returns the number of columns in the first non-empty line. */
function columnsIn(text: string): number {
  let count = 0;
  Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    step({ data }, parser) {
      count = data.length;
      parser.abort();
    },
  });
  return count;
}

/** Finds the entries in another program's JSON: the longest list of objects. Returns null if there is none. */
export function tableIn(json: unknown): Table | 'too_much' | null {
  const found = listsIn(json, []).sort((one, other) => other.entries.length - one.entries.length)[0];
  if (!found) return null;
  const { entries, path, isReversed } = found;
  if (entries.length > MAX_ENTRIES) return 'too_much';
  const rows = entries.map((entry) => {
    const named = Object.entries(entry).map(([name, value]) => [name, linkIn(value)] as const);
    const fields = named.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
    return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
  });
  const headers = [...new Set(rows.flatMap(Object.keys))];
  const list = path.length > 0 ? path.join('.') : null;
  return headers.length > MOST_COLUMNS ? null : { headers, rows, list, isReversed };
}

/** Returns the short URL of an object such as those in Kutt's list for admins, and any other value unchanged. */
function linkIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'link' in value ? value.link : value;
}

/** Maximum depth at which the list is searched. */
const DEEPEST = 3;

interface FoundList {
  entries: object[];
  /** Names on the way to the list. An array index is written as a number, starting at 1. */
  path: string[];
  isReversed: boolean;
}

function listsIn(json: unknown, path: string[]): FoundList[] {
  if (typeof json !== 'object' || json === null || path.length > DEEPEST) return [];
  const values = Object.values(json);
  const objects = values.filter((value): value is object => typeof value === 'object' && value !== null);
  // YOURLS exports an object with numbered names instead of a list: {"link_1": {…}, "link_2": {…}}.
  const isList = Array.isArray(json) || Object.keys(json).every((key) => /\d$/.test(key));
  if (isList && objects.length > 0 && objects.every((value) => !Array.isArray(value)))
    return [{ entries: objects, path, isReversed: false }];
  // History of kutt-extension up to version 3, oldest first.
  if ('URL_array' in json && Array.isArray(json.URL_array))
    return listsIn(json.URL_array.toReversed(), [...path, 'URL_array']).map((one) => ({ ...one, isReversed: true }));
  const names = Array.isArray(json) ? values.map((_, index) => String(index + 1)) : Object.keys(json);
  return values.flatMap((value, index) => listsIn(value, [...path, names[index] ?? '']));
}

/** Column names in known exports, most reliable first, normalized by `plain`. */
const NAMES: Record<Field, string[]> = {
  shortUrl: [
    'shorturl',
    'shortlink',
    'shortenedurl',
    'shortened',
    'secureshorturl',
    'tinyurl',
    'bitlink',
    'short',
    'link',
  ],
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
  createdAt: ['createdat', 'created', 'creationdate', 'createddate', 'datecreated', 'createdon', 'timestamp', 'date'],
};

/** Assigns columns to fields. Case, spaces and punctuation in their names are ignored. */
export function recognizeColumns(headers: string[]): Partial<Record<Field, string>> {
  const byName = new Map(headers.toReversed().map((header) => [plain(header), header]));
  const found: Partial<Record<Field, string>> = {};
  for (const field of Object.keys(NAMES) as Field[]) {
    const name = NAMES[field].find((one) => byName.has(one));
    const header = name && byName.get(name);
    if (name && header !== undefined) found[field] = header;
    // Each column is used for one field: `url` only for the long URL.
    if (name) byName.delete(name);
  }
  return found;
}

/** Normalizes a column name: "Long URL", "long_url" and "longUrl" become equal. */
function plain(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
