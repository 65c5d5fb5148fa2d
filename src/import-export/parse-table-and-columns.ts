import { plainCell } from '@terse/contract/csv';
import { MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { type Field, MAX_ENTRIES } from './import-limits-and-errors.ts';

export interface Table {
  headers: string[];
  rows: Record<string, string>[];
  /** Path of the list in a JSON file, such as `data.links`. Null if the whole file is one list. */
  list: string | null;
  /** True if the rows were reversed, because the file lists the oldest entry first. */
  isReversed: boolean;
}

/** Maximum number of columns. A file with millions of columns would block the page for minutes. */
const MOST_COLUMNS = 1_000;

/** Maximum number of lines, including empty ones. */
const MOST_LINES = 4 * MAX_ENTRIES;

const NO_TABLE: Table = { headers: [], rows: [], list: null, isReversed: false };

/**
 * Parses a table whose values are separated by commas, semicolons or tabs. Returns null if the quotation marks are
 * wrong. If several columns have the same name, the first of them is used.
 */
export function readCsv(text: string): Table | 'too_much' | null {
  if (
    text
      .matchAll(/\r?\n|\r/g)
      .drop(MOST_LINES)
      .next().done !== true
  )
    return 'too_much';
  const table = readRows(text);
  if (!table) return null;
  const [header = [], ...rows] = table;
  if (header.length > MOST_COLUMNS) return NO_TABLE;
  if (rows.length > MAX_ENTRIES) return 'too_much';
  const columns = new Map(header.map((name, column) => [name, column] as const).reverse());
  const toRow = (cells: string[]) => Object.fromEntries([...columns].map(([name, at]) => [name, cells[at] ?? '']));
  return { headers: [...new Set(header)], rows: rows.map(toRow), list: null, isReversed: false };
}

/**
 * Reads the rows of a table that are not blank, including the row with the column names. Stops after the maximum
 * number of entries and one more. Returns null if the quotation marks are wrong.
 */
export function readRows(text: string): string[][] | null {
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

/**
 * Finds the links in another program's JSON file. The longest list of objects in the file is assumed to contain the
 * links. Returns null if the file has no list of objects.
 */
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

/**
 * Returns the `link` property of an object that has one, and any other value unchanged. The short URL of an entry in
 * Kutt's admin list, for example, is such an object.
 */
function linkIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'link' in value ? value.link : value;
}

/** Maximum nesting depth at which the import looks for a list. */
const DEEPEST = 3;

interface FoundList {
  entries: object[];
  /** Property names on the path to the list. Array positions are written as numbers, starting at 1. */
  path: string[];
  isReversed: boolean;
}

function listsIn(json: unknown, path: string[]): FoundList[] {
  if (typeof json !== 'object' || json === null || path.length > DEEPEST) return [];
  const values = Object.values(json);
  const objects = values.filter((value): value is object => typeof value === 'object' && value !== null);
  // Instead of an array, YOURLS exports an object with numbered property names: {"link_1": {…}, "link_2": {…}}.
  const isList = Array.isArray(json) || Object.keys(json).every((key) => /\d$/.test(key));
  if (isList && objects.length > 0 && objects.every((value) => !Array.isArray(value)))
    return [{ entries: objects, path, isReversed: false }];
  // Versions 1 to 3 of kutt-extension store their history in `URL_array`, oldest first.
  if ('URL_array' in json && Array.isArray(json.URL_array))
    return listsIn(json.URL_array.toReversed(), [...path, 'URL_array']).map((one) => ({ ...one, isReversed: true }));
  const names = Array.isArray(json) ? values.map((_, index) => String(index + 1)) : Object.keys(json);
  return values.flatMap((value, index) => listsIn(value, [...path, names[index] ?? '']));
}

/** Normalized column names in known export formats, most reliable first. */
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

/** Finds the column for each property of a link. Ignores differences in case, spaces and punctuation. */
export function recognizeColumns(headers: string[]): Partial<Record<Field, string>> {
  const byName = new Map(headers.toReversed().map((header) => [plain(header), header]));
  const found: Partial<Record<Field, string>> = {};
  for (const field of Object.keys(NAMES) as Field[]) {
    const name = NAMES[field].find((one) => byName.has(one));
    const header = name && byName.get(name);
    if (name && header !== undefined) found[field] = header;
    // Each column is used only once. A column named `url`, for example, cannot be both the long and the short URL.
    if (name) byName.delete(name);
  }
  return found;
}

/** Normalizes a column name, so that "Long URL", "long_url" and "longUrl" become the same name. */
function plain(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
