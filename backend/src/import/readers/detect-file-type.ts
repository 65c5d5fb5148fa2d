import { FileProblem } from './import-file.ts';

/** Its `^` is not followed by `\s*`, which would scan a run of blank lines again from each of them. */
export const SQL_STATEMENT =
  /^[ \t]*(?:INSERT\s+INTO|COPY\s+\S+\s*\(|CREATE\s+(?:TABLE|DATABASE)|DROP\s+TABLE|LOCK\s+TABLES|BEGIN(?:\s+TRANSACTION)?\s*;|PRAGMA\s+\w+|SET\s+[\w@]+\s*=|SELECT\s+pg_catalog)|^--.*\bdump\b|^\/\*!\d{5}/im;

/** What to export instead, by what a dump of the service's database names. The first that fits. */
const EXPORT_ADVICE: [sign: RegExp, advice: string][] = [
  [
    /_url`?\s*(?:\(|VALUES)[^;]{0,200}\bkeyword\b|yourls/i,
    'YOURLS: export with its Import Export plugin (CSV, XML or RSS), or save what its API answers to action=stats as JSON.',
  ],
  [/\bsecret_key\b|\bis_disabled\b|\blong_url_hash\b/i, 'Polr: export its table “links” as CSV with a header.'],
  [
    /\bshort_urls\b|\bvisit_locations\b/i,
    'Shlink: export the short URLs as CSV in its web client, or save what its REST API answers as JSON.',
  ],
  [
    /\bvisit_count\b|\bexpire_in\b|\bbanned_by_id\b|INTO [`"]links[`"] VALUES ?\(\d+,'[^']*',(?:'|NULL)/i,
    'Kutt: save what its API answers to GET /api/v2/links?limit=50 (page by page, with skip) as JSON.',
  ],
  [/\bexpiry_time\b/i, 'chhoto-url: save what its API answers to GET /api/all as JSON.'],
];

const GENERAL_ADVICE = 'Export the table of links as CSV with a header instead.';

/** What to say to whoever chose a dump of a database; null where a text is none. */
export function sqlDumpProblem(head: string): string | null {
  if (!SQL_STATEMENT.test(head)) return null;
  const advice = EXPORT_ADVICE.find(([sign]) => sign.test(head))?.[1];
  return `This file is an SQL dump, which cannot be imported. ${advice ? `From ${advice}` : GENERAL_ADVICE}`;
}

/** How the records of a file are written down. */
export type Layout =
  /** RFC 4180 with any delimiter. `header` is the line that names the columns: a `sep=;` may stand before it. */
  | { kind: 'csv'; delimiter: string; header: 1 | 2 }
  /** As databases write tables: tabs, a backslash before what is not itself, quotes that mean nothing. */
  | { kind: 'tabs' }
  /** As Lynx writes CSV: every cell is JSON. */
  | { kind: 'json-cells' }
  | { kind: 'json' }
  | { kind: 'xml' };

const DELIMITERS = [',', ';', '\t', '|'];

/** What spreadsheets write into the first line to name the delimiter. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n)/i;

/**
 * Tells from the start of a file how it is laid out.
 *
 * @param head some kilobytes of its text
 * @param isSpreadsheet whether its encoding is one that only spreadsheets write
 * @throws FileProblem where it is something to be exported differently
 */
export function detectLayout(head: string, isSpreadsheet: boolean): Layout {
  const start = head.trimStart();
  if (/^[{[]/.test(start)) return { kind: 'json' };
  if (/^<!doctype html|^<html/i.test(start)) throw new FileProblem('This file is a web page, not an export of links.');
  if (start.startsWith('<')) return { kind: 'xml' };
  const dump = sqlDumpProblem(head);
  if (dump) throw new FileProblem(dump);
  const sep = SEPARATOR_LINE.exec(head);
  if (sep) return { kind: 'csv', delimiter: sep[1] as string, header: 2 };
  const header = start.split(/[\r\n]/, 1)[0] ?? '';
  if (/^"?id"?,"?slug"?,"?destination"?,"?author"?,/i.test(header)) return { kind: 'json-cells' };
  const delimiter = mostFrequentDelimiter(header);
  const isPlain = delimiter === '\t' && !isSpreadsheet && !header.includes('"');
  return isPlain ? { kind: 'tabs' } : { kind: 'csv', delimiter, header: 1 };
}

/** Whichever of the delimiters occurs most in the header, outside of quotes. */
function mostFrequentDelimiter(header: string): string {
  const names = header.replace(/"[^"]*"/g, '');
  const count = (sign: string) => names.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
