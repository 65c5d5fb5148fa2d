import { type CsvLayout, detectCsvLayout } from '@terse/contract/csv-reader';
import { FileProblem } from './import-file.ts';

/** Type of a file, with the details that are needed to read it. */
export type Layout =
  /** CSV with any delimiter (RFC 4180). */
  | ({ kind: 'csv' } & CsvLayout)
  /** Database table as text, with tabs between the cells. Special characters are escaped with backslashes. */
  | { kind: 'tabs' }
  /** CSV export of Lynx, in which each cell is JSON. */
  | { kind: 'json-cells' }
  | { kind: 'json' };

/**
 * Detects the type of a file from its first kilobytes.
 *
 * @param isSpreadsheet true if the text encoding indicates that a spreadsheet program wrote the file
 * @throws FileProblem if the file must be exported in another format
 */
export function detectLayout(head: string, isSpreadsheet: boolean): Layout {
  const start = head.trimStart();
  if (/^[{[]/.test(start)) return { kind: 'json' };
  if (/^<!doctype html|^<html/i.test(start)) throw new FileProblem('This file is a web page, not an export of links.');
  if (start.startsWith('<')) throw new FileProblem('XML files cannot be imported. Export the links as CSV or JSON.');
  const dump = sqlDumpProblem(head);
  if (dump) throw new FileProblem(dump);
  const layout = detectCsvLayout(head);
  if (layout.header === 2) return { kind: 'csv', ...layout };
  const header = start.split(/[\r\n]/, 1)[0] ?? '';
  if (/^"?id"?,"?slug"?,"?destination"?,"?author"?,/i.test(header)) return { kind: 'json-cells' };
  const isPlain = layout.delimiter === '\t' && !isSpreadsheet && !header.includes('"');
  return isPlain ? { kind: 'tabs' } : { kind: 'csv', ...layout };
}

/**
 * Matches the start of an SQL statement. The pattern contains `[ \t]*` instead of `\s*`, because `\s*` would make the
 * search slow in files with many blank lines.
 */
export const SQL_STATEMENT =
  /^[ \t]*(?:INSERT\s+INTO|COPY\s+\S+\s*\(|CREATE\s+(?:TABLE|DATABASE)|DROP\s+TABLE|LOCK\s+TABLES|BEGIN(?:\s+TRANSACTION)?\s*;|PRAGMA\s+\w+|SET\s+[\w@]+\s*=|SELECT\s+pg_catalog)|^--.*\bdump\b|^\/\*!\d{5}/im;

/**
 * Advice for users who upload an SQL dump from another service. The first pattern that matches identifies the
 * service.
 */
const EXPORT_ADVICE: [sign: RegExp, advice: string][] = [
  [
    /_url`?\s*(?:\(|VALUES)[^;]{0,200}\bkeyword\b|yourls/i,
    'YOURLS, export CSV with the Import Export plugin, or save the JSON response of the API action “stats”.',
  ],
  [/\bsecret_key\b|\bis_disabled\b|\blong_url_hash\b/i, 'Polr, export the table “links” as CSV with a header.'],
  [
    /\bshort_urls\b|\bvisit_locations\b/i,
    'Shlink, export the short URLs as CSV in the web client, or save the JSON responses of the REST API.',
  ],
  [
    /\bvisit_count\b|\bexpire_in\b|\bbanned_by_id\b|INTO [`"]links[`"] VALUES ?\(\d+,'[^']*',(?:'|NULL)/i,
    'Kutt, save the JSON responses of GET /api/v2/links?limit=50 (page by page, with skip).',
  ],
  [/\bexpiry_time\b/i, 'chhoto-url, save the JSON response of GET /api/all.'],
];

const GENERAL_ADVICE = 'Export the table of links as CSV with a header instead.';

/** Returns an error message if the text is an SQL dump, or null otherwise. */
export function sqlDumpProblem(head: string): string | null {
  if (!SQL_STATEMENT.test(head)) return null;
  const advice = EXPORT_ADVICE.find(([sign]) => sign.test(head))?.[1];
  return `This file is an SQL dump, which cannot be imported. ${advice ? `From ${advice}` : GENERAL_ADVICE}`;
}
