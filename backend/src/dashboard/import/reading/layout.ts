import { FileProblem } from '../file.ts';
import { sqlDump } from './sql-dump.ts';

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
const SEP = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n)/i;

/**
 * Tells from the start of a file how it is laid out.
 *
 * @param head some kilobytes of its text
 * @param isSpreadsheet whether its encoding is one that only spreadsheets write
 * @throws FileProblem where it is something to be exported differently
 */
export function layoutOf(head: string, isSpreadsheet: boolean): Layout {
  const start = head.trimStart();
  if (/^[{[]/.test(start)) return { kind: 'json' };
  if (/^<!doctype html|^<html/i.test(start)) throw new FileProblem('This file is a web page, not an export of links.');
  if (start.startsWith('<')) return { kind: 'xml' };
  const dump = sqlDump(head);
  if (dump) throw new FileProblem(dump);
  const sep = SEP.exec(head);
  if (sep) return { kind: 'csv', delimiter: sep[1] as string, header: 2 };
  const header = start.split(/[\r\n]/, 1)[0] ?? '';
  if (/^"?id"?,"?slug"?,"?destination"?,"?author"?,/i.test(header)) return { kind: 'json-cells' };
  const delimiter = delimiterIn(header);
  const isPlain = delimiter === '\t' && !isSpreadsheet && !header.includes('"');
  return isPlain ? { kind: 'tabs' } : { kind: 'csv', delimiter, header: 1 };
}

/** Whichever of the delimiters occurs most in the header, outside of quotes. */
function delimiterIn(header: string): string {
  const names = header.replace(/"[^"]*"/g, '');
  const count = (sign: string) => names.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
