import { readCsv } from './csv-reader.ts';
import { detectLayout, type Layout } from './detect-file-type.ts';
import { FileProblem, type FileRecord, type ImportFile, normalizeFieldName, SLICE_BYTES } from './import-file.ts';
import { type OnPage, readJson } from './json-reader.ts';
import { type LineRow, readJsonCells, readTabs } from './table-dump-reader.ts';
import { type Encoding, inspectText, readText } from './text-encoding.ts';
import { readXml } from './xml-reader.ts';

/** File with the details needed to read it. */
export interface Source {
  file: ImportFile;
  encoding: Encoding;
  layout: Layout;
  /** SHA-256 of the file, to recognize a file that was uploaded before. */
  fingerprint: Buffer;
}

/**
 * Detects how to read a file. Reads the whole file once.
 *
 * @throws FileProblem if it is not text, or must be exported in another way
 */
export async function openSource(file: ImportFile): Promise<Source> {
  const { encoding, fingerprint } = await inspectText(file);
  const head = new TextDecoder(encoding).decode(await file.read(0, SLICE_BYTES));
  if (head.trim() === '') throw new FileProblem('This file is empty.');
  return { file, encoding, fingerprint, layout: detectLayout(head, encoding.startsWith('utf-16')) };
}

/**
 * Reads a file record by record. A record is a row of a table, or an entry of JSON or XML.
 *
 * @param onPage receives the fields of JSON pages that are not entries
 * @throws FileProblem if the file cannot be read to its end
 */
export function readRecords({ file, encoding, layout }: Source, onPage: OnPage = () => {}): AsyncGenerator<FileRecord> {
  const text = readText(file, encoding);
  switch (layout.kind) {
    case 'csv':
      return rowsToRecords(readCsv(text, layout.delimiter, layout.header));
    case 'tabs':
      return rowsToRecords(readTabs(text));
    case 'json-cells':
      return rowsToRecords(readJsonCells(text));
    case 'json':
      return readJson(text, onPage);
    case 'xml':
      return readXml(text);
  }
}

/**
 * Turns rows into records with the column names of the first row. If columns share a name, the first one counts. The first
 * record has all fields, so that the format can be detected. The others have as many fields as their row has cells.
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
