import Papa from 'papaparse';
import { FileProblem, MAX_ROW_LENGTH, rowTooLong } from './import-file.ts';

/** A row of a table. */
export interface Row {
  /** Line where the row starts in the file, from 1. */
  line: number;
  cells: string[];
}

/**
 * Reads CSV row by row.
 *
 * @param header the line that names the columns; lines before it are skipped
 * @throws FileProblem if the text is not CSV, or a row is too long
 */
export async function* readCsv(text: AsyncIterable<string>, delimiter: string, header = 1): AsyncGenerator<Row> {
  let parser: Papa.Parser | null = null;
  let rest = '';
  let line = 1;
  let lastRow = 0;

  function* rowsIn(isEnd: boolean): Generator<Row> {
    parser ??= new Papa.Parser({ delimiter, newline: newlineOf(rest) });
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(rest, 0, !isEnd);
    const faulty = errors.find(({ row = 0 }) => row < data.length);
    for (const cells of faulty ? data.slice(0, faulty.row) : data) {
      // Lines that end in CR LF are split at LF.
      cells.push((cells.pop() as string).replace(/\r$/, ''));
      const start = line;
      line += cells.reduce((sum, cell) => sum + (cell.match(/\r\n?|\n/g)?.length ?? 0), 1);
      const isEmpty = cells.length === 1 && cells[0] === '';
      if (isEmpty || start < header) continue;
      lastRow = start;
      yield { line: start, cells };
    }
    if (faulty) {
      const where = lastRow === 0 ? 'its first line' : `what follows line ${lastRow}`;
      throw new FileProblem(`This file is not CSV: ${where} cannot be read.`);
    }
    rest = rest.slice(meta.cursor);
  }

  for await (const slice of text) {
    rest += slice;
    yield* rowsIn(false);
    if (rest.length > MAX_ROW_LENGTH) throw rowTooLong(`line ${lastRow}`);
  }
  if (rest !== '') yield* rowsIn(true);
}

/** Returns the character that ends the first line. */
function newlineOf(text: string): '\r' | '\n' {
  return /\r(?=[^\n])/.exec(text)?.index === text.search(/[\r\n]/) ? '\r' : '\n';
}
