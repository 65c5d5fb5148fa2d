import { plainCell } from '@terse/contract/csv';
import Papa from 'papaparse';
import { type Field, MAX_ENTRIES } from './import-limits-and-errors.ts';

/** The entries of a file by the names of their fields. */
export interface Table {
  headers: string[];
  rows: Record<string, string>[];
  /** What the file calls them: the names that lead to them. Null: they are all there is in it. */
  list: string | null;
  /** The file has them the other way round. */
  isReversed: boolean;
}

/** No export has nearly as many. A file that names millions would keep the page busy for minutes. */
const MOST_COLUMNS = 1_000;
const NO_TABLE: Table = { headers: [], rows: [], list: null, isReversed: false };

/** Lines without anything in them are passed over, and count no less. */
const MOST_LINES = 4 * MAX_ENTRIES;

/** Reads comma, semicolon or tab separated text, whichever it is. Null: a quote in it never ends, so the rest is lost. */
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

/** How many columns the first line names that is not empty. */
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

/** Finds the entries in JSON of another program: the longest list of objects in it. Null: there is none that is a table. */
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

/** How deep services wrap their lists. */
const DEEPEST = 3;

interface FoundList {
  entries: object[];
  /** The names that lead to it; a number, from 1, where it stands in a list itself. */
  path: string[];
  isReversed: boolean;
}

function listsIn(json: unknown, path: string[]): FoundList[] {
  if (typeof json !== 'object' || json === null || path.length > DEEPEST) return [];
  const values = Object.values(json);
  const objects = values.filter((value): value is object => typeof value === 'object' && value !== null);
  // YOURLS numbers its links by name: {"link_1": {…}, "link_2": {…}}.
  const isList = Array.isArray(json) || Object.keys(json).every((key) => /\d$/.test(key));
  if (isList && objects.length > 0 && objects.every((value) => !Array.isArray(value)))
    return [{ entries: objects, path, isReversed: false }];
  // The history of kutt-extension up to version 3, oldest first.
  if ('URL_array' in json && Array.isArray(json.URL_array))
    return listsIn(json.URL_array.toReversed(), [...path, 'URL_array']).map((one) => ({ ...one, isReversed: true }));
  const names = Array.isArray(json) ? values.map((_, index) => String(index + 1)) : Object.keys(json);
  return values.flatMap((value, index) => listsIn(value, [...path, names[index] ?? '']));
}

/** What exports call a field, the surest name first; as `plain` writes names. */
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

/** Which of a table's columns are what, whatever case, spaces and signs their names have. */
export function recognizeColumns(headers: string[]): Partial<Record<Field, string>> {
  const byName = new Map(headers.toReversed().map((header) => [plain(header), header]));
  const found: Partial<Record<Field, string>> = {};
  for (const field of Object.keys(NAMES) as Field[]) {
    const name = NAMES[field].find((one) => byName.has(one));
    const header = name && byName.get(name);
    if (name && header !== undefined) found[field] = header;
    // A column is taken once: `url` for the long URL alone.
    if (name) byName.delete(name);
  }
  return found;
}

/** "Long URL", "long_url" and "longUrl" are one name. */
function plain(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
