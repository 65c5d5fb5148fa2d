import { type CsvLayout, CsvReader, type CsvRow, detectCsvLayout, MalformedCsv } from '@terse/contract/csv-reader';
import type { DateOrder } from './dates.ts';
import type { Format } from './format.ts';
import { FORMATS } from './formats.ts';
import {
  FileProblem,
  type FileRecord,
  type ImportFile,
  MAX_ROW_LENGTH,
  MAX_ROWS,
  MAX_UNREAD_LENGTH,
  noEndOfRow,
  normalizeFieldName,
  ROW_TOO_LONG,
  SLICE_BYTES,
} from './import-file.ts';
import { type OnPage, readJson } from './json-reader.ts';
import { recordToLinks, type SourceLink } from './record-to-link.ts';
import { type Encoding, inspectText, readText } from './text-encoding.ts';

/** Type of a file, with the details that are needed to read it. CSV can have any delimiter (RFC 4180). */
type Layout = ({ kind: 'csv' } & CsvLayout) | { kind: 'json' };

interface Source {
  file: ImportFile;
  encoding: Encoding;
  layout: Layout;
  /** Order of day and month in dates such as `4/15/2021`. Null if the file does not settle it. */
  dateOrder: DateOrder | null;
  /** SHA-256 hash of the file in hexadecimal. It shows whether the same file was imported before. */
  fingerprint: string;
}

/**
 * Reads the whole file once and detects its text encoding, its type, the order of day and month in its dates, and the
 * service that exported it.
 *
 * @throws FileProblem if the file is not text, has no links, or must be exported in another format
 */
export async function openSource(file: ImportFile): Promise<LinkSource> {
  const text = await inspectText(file);
  const head = new TextDecoder(text.encoding).decode(await file.read(0, SLICE_BYTES));
  const source = { file, ...text, layout: detectLayout(head) };
  return { ...source, format: await findFormat(source) };
}

/**
 * Matches the start of an SQL statement. The pattern contains `[ \t]*` instead of `\s*`, because `\s*` would make the
 * search slow in files with many blank lines.
 */
const SQL_STATEMENT =
  /^[ \t]*(?:INSERT\s+INTO|COPY\s+\S+\s*\(|CREATE\s+(?:TABLE|DATABASE)|DROP\s+TABLE|LOCK\s+TABLES|BEGIN(?:\s+TRANSACTION)?\s*;|PRAGMA\s+\w+|SET\s+[\w@]+\s*=|SELECT\s+pg_catalog)|^--.*\bdump\b|^\/\*!\d{5}/im;

/** Detects the type of a file from its first kilobytes. */
function detectLayout(head: string): Layout {
  const start = head.trimStart();
  if (start === '') throw new FileProblem('This file is empty.');
  if (/^[{[]/.test(start)) return { kind: 'json' };
  if (/^<!doctype html|^<html/i.test(start)) throw new FileProblem('This file is a web page, not an export of links.');
  if (start.startsWith('<')) throw new FileProblem('XML files cannot be imported. Export the links as CSV or JSON.');
  if (SQL_STATEMENT.test(head)) {
    throw new FileProblem(
      'This file is an SQL dump, which cannot be imported. Export the table of links as CSV with a header instead.',
    );
  }
  return { kind: 'csv', ...detectCsvLayout(head) };
}

/**
 * Reads a file record by record. A record is a table row, or an entry of a JSON file.
 *
 * @param onPage called for each API response in the file
 * @throws FileProblem if the file cannot be read to the end
 */
function readRecords({ file, encoding, layout }: Source, onPage: OnPage = () => {}): AsyncGenerator<FileRecord> {
  const text = readText(file, encoding);
  return layout.kind === 'json' ? readJson(text, onPage) : rowsToRecords(readCsv(text, layout));
}

/**
 * Reads a CSV file row by row.
 *
 * @throws FileProblem if the text is not valid CSV, or the end of a row is not found
 */
export async function* readCsv(text: AsyncIterable<string>, layout: CsvLayout): AsyncGenerator<CsvRow> {
  const reader = new CsvReader(layout);
  let waiting = '';
  try {
    for await (const part of text) {
      waiting += part;
      // The reader parses an incomplete row again with each part, so the parts grow with the row.
      if (waiting.length < reader.unreadLength) continue;
      yield* reader.add(waiting);
      waiting = '';
      if (reader.unreadLength > MAX_UNREAD_LENGTH) throw noEndOfRow(`line ${reader.nextLine}`);
    }
    yield* reader.add(waiting);
    yield* reader.end();
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    const where = error.lastLine === 0 ? 'its first line' : `what follows line ${error.lastLine}`;
    throw new FileProblem(`This file is not valid CSV: ${where} cannot be read. Correct the quotes there.`);
  }
}

/**
 * Turns table rows into records. The first row contains the field names. If a name occurs twice, the first column
 * with this name is used.
 *
 * The first record contains every field, even those without a cell in its row, so that the format can be detected.
 * Later records contain only the fields that have a cell.
 */
async function* rowsToRecords(rows: AsyncIterable<CsvRow>): AsyncGenerator<FileRecord> {
  let names: string[] | null = null;
  let isFirst = true;
  for await (const { line, cells } of rows) {
    if (!names) {
      names = cells.map(normalizeFieldName);
      continue;
    }
    if (cells.reduce((sum, cell) => sum + cell.length + 1, 0) > MAX_ROW_LENGTH) {
      yield { at: line, problem: ROW_TOO_LONG, subject: cells.find((cell) => cell !== '') ?? '' };
      continue;
    }
    const fields = new Map<string, string>();
    const count = isFirst ? names.length : Math.min(names.length, cells.length);
    for (let index = 0; index < count; index += 1) {
      const name = names[index] as string;
      if (!fields.has(name)) fields.set(name, cells[index] ?? '');
    }
    isFirst = false;
    yield { at: line, fields };
  }
}

/** Link in a file with its position, or the reason why a row could not be read. */
export type ReadLink = { at: number; link: SourceLink } | { at: number; problem: string; subject: string };

export interface LinkSource extends Source {
  format: Format;
}

/**
 * Number of records from which the format is detected. Some services omit empty fields, so a single record is not
 * sufficient.
 */
const SAMPLE_SIZE = 50;

const TOO_MANY_ROWS = `This file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it into smaller files.`;

const NO_FORMAT = {
  line: 'The first line of this file names no column with long URLs. Name it “url”, “longUrl” or “target”.',
  entry: 'The entries of this file have no field with long URLs. Name it “url”, “longUrl” or “target”.',
};

/**
 * Detects the format of a file from its field names.
 *
 * @throws FileProblem if the file has no records, or no field contains long URLs
 */
async function findFormat(source: Source): Promise<Format> {
  const names = new Set<string>();
  let records = 0;
  for await (const record of readRecords(source)) {
    if ('fields' in record) for (const name of record.fields.keys()) names.add(name);
    records += 1;
    if (records === SAMPLE_SIZE) break;
  }
  const format = FORMATS.find(({ detectedBy }) => detectedBy.some((list) => list.every((name) => names.has(name))));
  if (format) return format;
  if (records === 0) throw new FileProblem('This file contains no links.');
  throw new FileProblem(NO_FORMAT[positionUnit(source)]);
}

/** Returns the word that precedes a number in messages about the file, such as “line 5” or “entry 5”. */
export function positionUnit({ layout }: Pick<Source, 'layout'>): 'line' | 'entry' {
  return layout.kind === 'json' ? 'entry' : 'line';
}

/**
 * Reads all links of a file. One row can contain several links.
 *
 * @throws FileProblem if the file cannot be read to its end, or contains too many links
 */
export async function* readLinks(source: LinkSource, now: number, onPage?: OnPage): AsyncGenerator<ReadLink> {
  const { format, dateOrder } = source;
  const isTable = positionUnit(source) === 'line';
  let count = 0;
  for await (const record of readRecords(source, onPage)) {
    const { at } = record;
    const links: ReadLink[] =
      'problem' in record
        ? [record]
        : recordToLinks(record.fields, { format, isTable, dateOrder, now }).map((link) => ({ at, link }));
    count += links.length;
    if (count > MAX_ROWS) throw new FileProblem(TOO_MANY_ROWS);
    yield* links;
  }
}
