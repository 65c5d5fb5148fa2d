import { plainCell } from '@terse/contract/csv';
import { MalformedCsv, readCsvText } from '@terse/contract/csv-reader';
import { MAX_ENTRIES } from '../../import-export/import-limits.ts';

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

type Field = 'shortUrl' | 'url' | 'title';

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
};

/**
 * Finds the columns of long URLs, short URLs and titles. Ignores differences in case, spaces and punctuation. The
 * column of short URLs is found first, so that it is not read as long URLs.
 */
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
