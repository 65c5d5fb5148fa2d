import Papa from 'papaparse';

export interface CsvLayout {
  delimiter: string;
  /** Number of the line that contains the column names. This is line 2 if the first line declares the delimiter. */
  header: 1 | 2;
}

export interface CsvRow {
  /** Line of the file on which the row starts, counted from 1. */
  line: number;
  cells: string[];
}

/** Thrown if a quotation mark is missing or misplaced. `lastLine` is the line of the last row before, or 0. */
export class MalformedCsv extends Error {
  override name = 'MalformedCsv';
  readonly lastLine: number;

  constructor(lastLine: number) {
    super(`This file is not valid CSV after line ${lastLine}.`);
    this.lastLine = lastLine;
  }
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Matches a first line such as `sep=;`. Spreadsheet programs use this line to declare the delimiter. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n)/i;

/** Detects the delimiter of a CSV file from its first lines. */
export function detectCsvLayout(head: string): CsvLayout {
  const declared = SEPARATOR_LINE.exec(head)?.[1];
  if (declared) return { delimiter: declared, header: 2 };
  const header = head.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  const names = header.replace(/"[^"]*"/g, '');
  const count = (sign: string) => names.split(sign).length;
  return { delimiter: DELIMITERS.reduce((best, sign) => (count(sign) > count(best) ? sign : best)), header: 1 };
}

/** Number of characters that are parsed at a time. */
const PART_LENGTH = 64 * 1024;

/** Maximum number of characters that are parsed to find the end of a row. */
const MAX_ROW_LENGTH = 8 * 1024 * 1024;

/**
 * Reads the rows of a CSV text (RFC 4180) one by one. Line breaks within cells become LF. Skips empty lines.
 *
 * @throws MalformedCsv if the text is not valid CSV, or the end of a row is not found
 */
export function* readCsvText(text: string): Generator<CsvRow> {
  for (const rows of readCsvParts(text)) yield* rows;
}

/**
 * Like `readCsvText`, but yields the rows of each parsed part of the text together. A part can have no rows. Between two
 * parts, the caller can let other work run.
 */
export function* readCsvParts(text: string): Generator<CsvRow[]> {
  const { delimiter, header } = detectCsvLayout(text.slice(0, PART_LENGTH));
  const parser: CsvParser = new Papa.Parser({ delimiter, newline: '\n' }) as never;
  let unread = '';
  let line = 1;
  let lastLine = 0;
  for (let at = 0; at < text.length; ) {
    // An incomplete row is parsed again with each part, so the parts grow with the row.
    let end = at + Math.max(PART_LENGTH, unread.length);
    if (text[end - 1] === '\r') end += 1;
    unread += text.slice(at, end).replace(/\r\n?/g, '\n');
    at = end;
    const { data, errors, meta } = parser.parse(unread, 0, at < text.length);
    unread = unread.slice(meta.cursor);
    // Ignores errors in an incomplete last row, because they may disappear when the rest of the row is read.
    const faulty = errors.find(({ row = 0 }) => row < data.length)?.row;
    const rows: CsvRow[] = [];
    for (const cells of data.slice(0, faulty)) {
      const start = line;
      line += cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1);
      const isEmpty = cells.length === 1 && cells[0] === '';
      if (isEmpty || start < header) continue;
      lastLine = start;
      rows.push({ line: start, cells });
    }
    yield rows;
    if (faulty !== undefined || unread.length > MAX_ROW_LENGTH) throw new MalformedCsv(lastLine);
  }
}

interface CsvParser {
  parse(text: string, from: number, ignoresLastRow: boolean): Papa.ParseResult<string[]>;
}
