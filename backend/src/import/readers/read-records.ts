import { readCsv } from './csv-reader.ts';
import { detectLayout, type Layout } from './detect-file-type.ts';
import { FileProblem, type FileRecord, type ImportFile, normalizeFieldName, SLICE_BYTES } from './import-file.ts';
import { type OnPage, readJson } from './json-reader.ts';
import { type LineRow, readJsonCells, readTabs } from './table-dump-reader.ts';
import { type Encoding, inspectText, readText } from './text-encoding.ts';
import { readXml } from './xml-reader.ts';

/** A file, and how to read it. */
export interface Source {
  file: ImportFile;
  encoding: Encoding;
  layout: Layout;
  /** SHA-256 of the file, to recognise one that was sent before. */
  fingerprint: Buffer;
}

/**
 * Finds out how to read a file. Reads it once as a whole.
 *
 * @throws FileProblem where it holds no text, or something to be exported differently
 */
export async function openSource(file: ImportFile): Promise<Source> {
  const { encoding, fingerprint } = await inspectText(file);
  const head = new TextDecoder(encoding).decode(await file.read(0, SLICE_BYTES));
  if (head.trim() === '') throw new FileProblem('This file is empty.');
  return { file, encoding, fingerprint, layout: detectLayout(head, encoding.startsWith('utf-16')) };
}

/**
 * Reads a file record by record: each is a row of a table, or an entry of JSON or XML.
 *
 * @param onPage gets what pages of JSON say beside their entries
 * @throws FileProblem where it cannot be read to its end
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
 * The rows of a table by the names in its first row; the first of several columns of the same name counts. The first record
 * has all the fields that are named, so that the format shows; others have as many as their row has cells.
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
