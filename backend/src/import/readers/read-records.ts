import { type CsvLayout, CsvReader, type CsvRow, detectCsvLayout, MalformedCsv } from '@terse/contract/csv-reader';
import type { DateOrder } from '../dates.ts';
import {
  FileProblem,
  type FileRecord,
  type ImportFile,
  MAX_ROW_LENGTH,
  normalizeFieldName,
  rowTooLong,
  SLICE_BYTES,
} from './import-file.ts';
import { type OnPage, readJson } from './json-reader.ts';
import { type Encoding, inspectText, readText } from './text-encoding.ts';

/** Type of a file, with the details that are needed to read it. CSV can have any delimiter (RFC 4180). */
export type Layout = ({ kind: 'csv' } & CsvLayout) | { kind: 'json' };

export interface Source {
  file: ImportFile;
  encoding: Encoding;
  layout: Layout;
  /** Order of day and month in dates such as `4/15/2021`. Null if the file does not settle it. */
  dateOrder: DateOrder | null;
  /** SHA-256 hash of the file in hexadecimal. It shows whether the same file was imported before. */
  fingerprint: string;
}

/**
 * Reads the whole file once and detects its text encoding, its type and the order of day and month in its dates.
 *
 * @throws FileProblem if the file is not text, or must be exported in another format
 */
export async function openSource(file: ImportFile): Promise<Source> {
  const text = await inspectText(file);
  const head = new TextDecoder(text.encoding).decode(await file.read(0, SLICE_BYTES));
  return { file, ...text, layout: detectLayout(head) };
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
export function readRecords({ file, encoding, layout }: Source, onPage: OnPage = () => {}): AsyncGenerator<FileRecord> {
  const text = readText(file, encoding);
  return layout.kind === 'json' ? readJson(text, onPage) : rowsToRecords(readCsv(text, layout));
}

/**
 * Reads a CSV file row by row.
 *
 * @throws FileProblem if the text is not valid CSV, or a row is too long
 */
export async function* readCsv(text: AsyncIterable<string>, layout: CsvLayout): AsyncGenerator<CsvRow> {
  const reader = new CsvReader(layout);
  try {
    for await (const part of text) {
      yield* reader.add(part);
      if (reader.unreadLength > MAX_ROW_LENGTH) throw rowTooLong(`line ${reader.lastLine}`);
    }
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
