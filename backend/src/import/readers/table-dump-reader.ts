import type { CsvRow } from '@terse/contract/csv-reader';
import { MAX_ROW_LENGTH, rowTooLong } from './import-file.ts';

interface Line {
  line: number;
  text: string;
}

/** Row of a table, or the reason why a line of the file could not be read. */
export type LineRow = CsvRow | { line: number; problem: string; subject: string };

const ESCAPES: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', 0: '' };

/** Reads a database table as text, with tabs between the cells. Special characters are escaped with backslashes. */
export async function* readTabs(text: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let open: Line | null = null;
  for await (const next of readLines(text)) {
    // MySQL writes a backslash before each line break in a cell.
    const continues = backslashesAtEnd(next.text) % 2 === 1;
    const part = continues ? next.text.slice(0, -1) : next.text;
    const joined: Line = open ? { line: open.line, text: `${open.text}\n${part}` } : { line: next.line, text: part };
    if (joined.text.length > MAX_ROW_LENGTH) throw rowTooLong(`line ${joined.line - 1}`);
    if (!continues) yield { line: joined.line, cells: joined.text.split('\t').map(unescapeCell) };
    open = continues ? joined : null;
  }
  if (open) yield { line: open.line, cells: open.text.split('\t').map(unescapeCell) };
}

function backslashesAtEnd(text: string): number {
  let count = 0;
  while (text.at(-1 - count) === '\\') count += 1;
  return count;
}

/** Reads a table with one row per line, in which each cell is JSON. */
export async function* readJsonCells(text: AsyncIterable<string>): AsyncGenerator<LineRow> {
  for await (const { line, text: row } of readLines(text)) {
    const cells = parseJsonCells(row);
    yield cells
      ? { line, cells }
      : { line, problem: 'This line is not valid. Correct its quotes and commas.', subject: row };
  }
}

/** Decodes a cell. PostgreSQL writes null as `\N`, and MySQL's command line tool writes `NULL`. */
function unescapeCell(cell: string): string {
  if (cell === '\\N' || cell === 'NULL') return '';
  return cell.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Parses a row whose cells are JSON strings or unquoted text. Returns null if the row is malformed. */
function parseJsonCells(row: string): string[] | null {
  const cells: string[] = [];
  const CELL = /("(?:[^"\\]|\\.)*"|[^",]*)(,|$)/y;
  for (;;) {
    const match = CELL.exec(row);
    if (!match) return null;
    const [, cell = '', end] = match;
    try {
      cells.push(cell.startsWith('"') ? String(JSON.parse(cell)) : cell);
    } catch {
      return null;
    }
    if (end === '') return cells;
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let open = '';
  let line = 1;
  let cr = '';
  for await (const slice of text) {
    const parts = `${cr}${slice}`.split(/\r\n|\n|\r(?!\n|$)/);
    const last = parts.pop() as string;
    for (const part of parts) {
      const whole = open + part;
      open = '';
      if (whole !== '') yield { line, text: whole };
      line += 1;
    }
    // Keeps a CR at the end of a slice for the next slice, which can start with the LF of the same line break.
    cr = last.endsWith('\r') ? '\r' : '';
    open += last.slice(0, last.length - cr.length);
    if (open.length > MAX_ROW_LENGTH) throw rowTooLong(`line ${line - 1}`);
  }
  if (open !== '') yield { line, text: open };
}
