import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FileProblem, ROW_SIZE_LIMIT, tooLong } from './import-file.ts';

/** A row of a table. */
export interface Row {
  /** The line where it starts in the file, from 1. */
  line: number;
  cells: string[];
}

/**
 * Reads CSV row by row.
 *
 * @param header the first line to read
 * @throws FileProblem where it is not CSV, or a row is too long
 */
export async function* readCsv(text: AsyncIterable<string>, delimiter: string, header = 1): AsyncGenerator<Row> {
  const position = { line: 0, byte: 0, countedTwice: 0 };

  async function* slices(): AsyncGenerator<Buffer> {
    let fed = 0;
    for await (const slice of text) {
      if (fed - position.byte > ROW_SIZE_LIMIT) throw tooLong(`line ${position.line}`);
      const bytes = Buffer.from(slice);
      fed += bytes.length;
      if (bytes.length > 0) yield bytes;
    }
  }

  /** Says where a row starts. The parser's `lines` counts a CR LF within a cell twice, which is put right here. */
  function locate(cells: string[], { lines, bytes }: { lines: number; bytes: number }): Row {
    const breaks = cells.flatMap((cell) => cell.match(/\r\n?|\n/g) ?? []);
    position.countedTwice += breaks.filter((found) => found === '\r\n').length;
    position.line = lines - position.countedTwice;
    position.byte = bytes;
    return { line: position.line - breaks.length, cells };
  }

  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    from_line: header,
    // The parser's types do not allow for records of another shape.
    on_record: locate as unknown as () => string[],
  });
  // The callback has nothing to do: errors reach the loop that reads the rows, and leaving the loop ends the pipeline.
  const rows: AsyncIterable<Row> = pipeline(Readable.from(slices(), { highWaterMark: 1 }), parser, () => {});
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = position.line === 0 ? 'its first line' : `what follows line ${position.line}`;
    throw new FileProblem(`This file is not CSV: ${what} cannot be read.`);
  }
}
