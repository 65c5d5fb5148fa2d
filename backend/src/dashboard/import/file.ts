import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Column, findColumns } from './columns.ts';

/** The most rows one file may have. */
export const ROW_LIMIT = 200_000;

export interface Row {
  /** Where it starts in the file, the header being 1. */
  line: number;
  cells: string[];
}

/** The file is none that could be taken in, in a sentence for the one who chose it. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/**
 * Reads a file row by row: CSV with commas, semicolons or tabs, in UTF-8.
 *
 * @throws FileProblem where it is not CSV, or too long
 */
export async function* readRows(bytes: Uint8Array): AsyncGenerator<Row> {
  const parser = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]).pipe(
    parse({ bom: true, delimiter: delimiterOf(bytes), info: true, relax_column_count: true, skip_empty_lines: true }),
  );
  let count = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (count > ROW_LIMIT)
        throw new FileProblem(`This file has more than ${ROW_LIMIT.toLocaleString('en')} rows. Cut it in parts.`);
      yield { line: info.lines - lineBreaks(record), cells: record };
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileProblem(`This file is not CSV: line ${error.lines} cannot be read.`);
  }
}

/** Lines that a row takes beyond its first. */
function lineBreaks(cells: string[]): number {
  return cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
}

/** Looks through a whole file before anything of it is taken in: how many rows it has, and which cell holds what. */
export async function surveyFile(bytes: Uint8Array): Promise<{ total: number; columns: Map<Column, number> }> {
  if (!isUtf8(bytes)) throw new FileProblem('This file is not text in UTF-8.');
  let columns: Map<Column, number> | null = null;
  let total = -1;
  for await (const { cells } of readRows(bytes)) {
    if (total === -1) columns = findColumns(cells);
    total += 1;
  }
  if (total === -1) throw new FileProblem('This file is empty.');
  if (!columns)
    throw new FileProblem('The first line of this file names no column of long URLs: “url”, “longUrl” or “target”.');
  return { total, columns };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

/** Whichever of the three the header holds most of. */
function delimiterOf(bytes: Uint8Array): string {
  const header = new TextDecoder().decode(bytes.subarray(0, 4096)).split('\n', 1)[0] ?? '';
  const count = (sign: string) => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
