import Papa from 'papaparse';
import { FileProblem, MAX_ROW_LENGTH, rowTooLong } from './import-file.ts';

export interface Row {
  /** Line of the file on which the row starts, counted from 1. */
  line: number;
  cells: string[];
}

/**
 * Reads a CSV file row by row. Line breaks within cells become LF.
 *
 * @param header number of the line that contains the column names; earlier lines are skipped
 * @throws FileProblem if the text is not valid CSV, or a row is too long
 */
export async function* readCsv(text: AsyncIterable<string>, delimiter: string, header = 1): AsyncGenerator<Row> {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  let unread = '';
  let line = 1;
  let lastRow = 0;

  /** Yields the complete rows of the unread text. At the end of the file, the last row counts as complete. */
  function* completeRows(isEnd: boolean): Generator<Row> {
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(unread, 0, !isEnd);
    unread = unread.slice(meta.cursor);
    // Ignores errors in an incomplete last row, because they may disappear when the rest of the row is read.
    const faulty = errors.find(({ row = 0 }) => row < data.length)?.row;
    for (const cells of data.slice(0, faulty)) {
      const start = line;
      line += cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1);
      const isEmpty = cells.length === 1 && cells[0] === '';
      if (isEmpty || start < header) continue;
      lastRow = start;
      yield { line: start, cells };
    }
    if (faulty === undefined) return;
    const where = lastRow === 0 ? 'its first line' : `what follows line ${lastRow}`;
    throw new FileProblem(`This file is not valid CSV: ${where} cannot be read. Correct the quotes there.`);
  }

  for await (const part of unifyLineBreaks(text)) {
    unread += part;
    yield* completeRows(false);
    if (unread.length > MAX_ROW_LENGTH) throw rowTooLong(`line ${lastRow}`);
  }
  if (unread !== '') yield* completeRows(true);
}

async function* unifyLineBreaks(text: AsyncIterable<string>): AsyncGenerator<string> {
  let cr = '';
  for await (const slice of text) {
    const part = cr + slice;
    // Keeps a CR at the end of a slice for the next slice, which can start with the LF of the same line break.
    cr = part.endsWith('\r') ? '\r' : '';
    yield part.slice(0, part.length - cr.length).replace(/\r\n?/g, '\n');
  }
  if (cr) yield '\n';
}
