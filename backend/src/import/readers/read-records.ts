import { readCsv } from './csv-reader.ts';
import { detectLayout, type Layout } from './detect-file-type.ts';
import { FileProblem, type FileRecord, type ImportFile, normalizeFieldName, SLICE_BYTES } from './import-file.ts';
import { type OnPage, readJson } from './json-reader.ts';
import { type LineRow, readJsonCells, readTabs } from './table-dump-reader.ts';
import { type Encoding, inspectText, readText } from './text-encoding.ts';

export interface Source {
  file: ImportFile;
  encoding: Encoding;
  layout: Layout;
  /** SHA-256 hash of the file in hexadecimal. It shows whether the same file was imported before. */
  fingerprint: string;
}

/**
 * Reads the whole file once and detects its text encoding and type.
 *
 * @throws FileProblem if the file is not text, or must be exported in another format
 */
export async function openSource(file: ImportFile): Promise<Source> {
  const { encoding, fingerprint } = await inspectText(file);
  const head = new TextDecoder(encoding).decode(await file.read(0, SLICE_BYTES));
  if (head.trim() === '') throw new FileProblem('This file is empty.');
  return { file, encoding, fingerprint, layout: detectLayout(head, encoding.startsWith('utf-16')) };
}

/**
 * Reads a file record by record. A record is a table row, or an entry of a JSON file.
 *
 * @param onPage called for each API response in the file
 * @throws FileProblem if the file cannot be read to the end
 */
export function readRecords({ file, encoding, layout }: Source, onPage: OnPage = () => {}): AsyncGenerator<FileRecord> {
  const text = readText(file, encoding);
  switch (layout.kind) {
    case 'csv':
      return rowsToRecords(readCsv(text, layout));
    case 'tabs':
      return rowsToRecords(readTabs(text));
    case 'json-cells':
      return rowsToRecords(readJsonCells(text));
    case 'json':
      return readJson(text, onPage);
  }
}

/**
 * Turns table rows into records. The first row contains the field names. If a name occurs twice, the first column
 * with this name is used.
 *
 * The first record contains every field, even those without a cell in its row, so that the format can be detected.
 * Later records contain only the fields that have a cell.
 */
async function* rowsToRecords(rows: AsyncIterable<LineRow>): AsyncGenerator<FileRecord> {
  let names: string[] | null = null;
  let isFirst = true;
  for await (const row of rows) {
    if ('problem' in row) yield { at: row.line, problem: row.problem, subject: row.subject };
    else if (!names) names = row.cells.map(normalizeFieldName);
    else {
      const fields = new Map<string, string>();
      const count = isFirst ? names.length : Math.min(names.length, row.cells.length);
      for (let index = 0; index < count; index += 1) {
        const name = names[index] as string;
        if (!fields.has(name)) fields.set(name, row.cells[index] ?? '');
      }
      isFirst = false;
      yield { at: row.line, fields };
    }
  }
}
