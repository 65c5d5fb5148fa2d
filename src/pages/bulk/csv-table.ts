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
export function recognizeColumns(headers: string[]): { url: string | undefined; title: string | undefined } {
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
