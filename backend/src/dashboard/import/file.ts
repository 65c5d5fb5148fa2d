import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { type Column, findColumns } from './columns.ts';

/** The most rows one file may have. */
export const ROW_LIMIT = 200_000;

/** More than any row of links needs, in bytes; whoever sends more of one would have all of it held at once. */
const ROW_SIZE_LIMIT = 256 * 1024;

/** Read at a time, in bytes: so few that redirects hardly wait. */
const SLICE = 16 * 1024;

export interface Row {
  /** Where it starts in the file, the header being 1. */
  line: number;
  cells: string[];
}

/** What is known of a file before anything of it is taken in. */
export interface Survey {
  total: number;
  columns: Map<Column, number>;
  /** The same for the very same file alone. */
  fingerprint: Uint8Array;
}

/** The file is none that could be taken in, in a sentence for the one who chose it. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/**
 * Reads a file row by row: CSV with commas, semicolons or tabs.
 *
 * @param look sees the bytes before their rows come
 * @throws FileProblem where it is not CSV, or too long
 */
export async function* readRows(file: Blob, look: (bytes: Uint8Array) => void = () => {}): AsyncGenerator<Row> {
  const place = { line: 0, byte: 0, countedTwice: 0 };

  async function* slices(): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.size; at += SLICE) {
      if (at - place.byte > ROW_SIZE_LIMIT) {
        throw new FileProblem(`This file has a row that is too long, after line ${place.line}.`);
      }
      const bytes = Buffer.from(await file.slice(at, Math.min(at + SLICE, file.size)).arrayBuffer());
      look(bytes);
      yield bytes;
      await turn();
    }
  }

  /** `lines` counts a CR LF within a cell as two. */
  function locate(cells: string[], { lines, bytes }: { lines: number; bytes: number }): Row {
    const breaks = cells.flatMap((cell) => cell.match(/\r\n?|\n/g) ?? []);
    place.countedTwice += breaks.filter((text) => text === '\r\n').length;
    place.line = lines - place.countedTwice;
    place.byte = bytes;
    return { line: place.line - breaks.length, cells };
  }

  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(file),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // Its types have every record stay an array of cells.
    on_record: locate as unknown as () => string[],
    to: ROW_LIMIT + 2,
  });
  // The callback has nothing to do: whoever reads the rows is told what went wrong, and what is not read on is let go.
  const rows: AsyncIterable<Row> = pipeline(Readable.from(slices(), { highWaterMark: 1 }), parser, () => {});
  let count = 0;
  try {
    for await (const row of rows) {
      if (count > ROW_LIMIT)
        throw new FileProblem(`This file has more than ${ROW_LIMIT.toLocaleString('en')} rows. Cut it in parts.`);
      yield row;
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = place.line === 0 ? 'its first line' : `what follows line ${place.line}`;
    throw new FileProblem(`This file is not CSV: ${what} cannot be read.`);
  }
}

/** Looks through a whole file before anything of it is taken in. */
export async function surveyFile(file: Blob): Promise<Survey> {
  const hash = createHash('sha256');
  const judge = utf8Judge();
  let columns: Map<Column, number> | null = null;
  let total = -1;
  const look = (bytes: Uint8Array) => {
    judge(bytes);
    hash.update(bytes);
  };
  for await (const { cells } of readRows(file, look)) {
    if (total === -1) columns = findColumns(cells);
    total += 1;
  }
  judge(null);
  if (total === -1) throw new FileProblem('This file is empty.');
  if (!columns)
    throw new FileProblem('The first line of this file names no column of long URLs: “url”, “longUrl” or “target”.');
  return { total, columns, fingerprint: hash.digest() };
}

/** Told a file's bytes and then null, objects where they are not text. */
function utf8Judge(): (bytes: Uint8Array | null) => void {
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

/** Whichever of the three the header holds most of. */
async function delimiterOf(file: Blob): Promise<string> {
  const header = (await file.slice(0, 4096).text()).split(/[\r\n]/, 1)[0] ?? '';
  const count = (sign: string) => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
