import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { type Column, findColumns } from './columns.ts';

/** The most rows one file may have. */
export const ROW_LIMIT = 200_000;

/** The longest row taken, in bytes: far more than a link needs. A row is held in memory as a whole. */
const ROW_SIZE_LIMIT = 256 * 1024;

/** How much is read at a time, in bytes: so little that redirects hardly wait for it. */
const SLICE = 16 * 1024;

/** A file that was uploaded. */
export interface ImportFile {
  /** In bytes. */
  size: number;
  /** The bytes from one position up to another, or up to the end of the file. */
  read(from: number, to: number): Promise<Buffer>;
}

export interface Row {
  /** Where it starts in the file, the header being 1. */
  line: number;
  cells: string[];
}

/** What is known of a file before any of its rows is imported. */
export interface Survey {
  total: number;
  columns: Map<Column, number>;
  /** SHA-256 of the file, to recognise one that was sent before. */
  fingerprint: Uint8Array;
}

/** The file cannot be imported; the message is a sentence for the person who chose it. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/**
 * Reads a file row by row: CSV with commas, semicolons or tabs.
 *
 * @param onBytes gets the file's bytes, before the rows in them are returned
 * @throws FileProblem where it is not CSV, or too long
 */
export async function* readRows(
  file: ImportFile,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Row> {
  const position = { line: 0, byte: 0, countedTwice: 0 };

  async function* slices(): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.size; at += SLICE) {
      if (at - position.byte > ROW_SIZE_LIMIT) {
        throw new FileProblem(`This file has a row that is too long, after line ${position.line}.`);
      }
      const bytes = await file.read(at, at + SLICE);
      onBytes(bytes);
      yield bytes;
      await tick();
    }
  }

  /** Says where a row starts. The parser's `lines` counts a CR LF within a cell twice, which is put right here. */
  function locate(cells: string[], { lines, bytes }: { lines: number; bytes: number }): Row {
    const breaks = cells.flatMap((cell) => cell.match(/\r\n?|\n/g) ?? []);
    position.countedTwice += breaks.filter((text) => text === '\r\n').length;
    position.line = lines - position.countedTwice;
    position.byte = bytes;
    return { line: position.line - breaks.length, cells };
  }

  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(file),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // The parser's types do not allow for records of another shape.
    on_record: locate as unknown as () => string[],
    to: ROW_LIMIT + 2,
  });
  // The callback has nothing to do: errors reach the loop that reads the rows, and leaving the loop ends the pipeline.
  const rows: AsyncIterable<Row> = pipeline(Readable.from(slices(), { highWaterMark: 1 }), parser, () => {});
  let count = 0;
  try {
    for await (const row of rows) {
      if (count > ROW_LIMIT)
        throw new FileProblem(
          `This file has more than ${ROW_LIMIT.toLocaleString('en')} rows. Split it into smaller files.`,
        );
      yield row;
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = position.line === 0 ? 'its first line' : `what follows line ${position.line}`;
    throw new FileProblem(`This file is not CSV: ${what} cannot be read.`);
  }
}

/**
 * Reads a whole file before any of its rows is imported.
 *
 * @throws FileProblem where it cannot be imported
 */
export async function surveyFile(file: ImportFile): Promise<Survey> {
  const hash = createHash('sha256');
  const checkText = utf8Checker();
  let columns: Map<Column, number> | null = null;
  let total = -1;
  const onBytes = (bytes: Uint8Array) => {
    checkText(bytes);
    hash.update(bytes);
  };
  for await (const { cells } of readRows(file, onBytes)) {
    if (total === -1) columns = findColumns(cells);
    total += 1;
  }
  checkText(null);
  if (total === -1) throw new FileProblem('This file is empty.');
  if (!columns)
    throw new FileProblem('The first line of this file names no column of long URLs: “url”, “longUrl” or “target”.');
  return { total, columns, fingerprint: hash.digest() };
}

/** Returns a function to call with all of a file's bytes and then with null; it throws where they are not UTF-8 text. */
function utf8Checker(): (bytes: Uint8Array | null) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      decoder.decode(bytes ?? undefined, { stream: bytes !== null });
    } catch {
      throw new FileProblem('This file is not text in UTF-8.');
    }
    if (bytes?.includes(0)) throw new FileProblem('This file is not text in UTF-8.');
  };
}

/** Whichever of the three delimiters occurs most in the header. */
async function delimiterOf(file: ImportFile): Promise<string> {
  const header = (await file.read(0, 4096)).toString().split(/[\r\n]/, 1)[0] ?? '';
  const count = (sign: string) => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
