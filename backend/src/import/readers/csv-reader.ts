import { type CsvLayout, CsvReader, type CsvRow, MalformedCsv } from '@terse/contract/csv-reader';
import { FileProblem, MAX_ROW_LENGTH, rowTooLong } from './import-file.ts';

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
