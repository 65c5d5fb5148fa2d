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

/** Reads the rows of a CSV file (RFC 4180) part by part. Line breaks within cells become LF. Skips empty lines. */
export class CsvReader {
  readonly #parser: { parse(text: string, from: number, ignoresLastRow: boolean): Papa.ParseResult<string[]> };
  readonly #header: number;
  #unread = '';
  #line = 1;
  #lastLine = 0;
  /** A CR at the end of a part, because the next part can start with the LF of the same line break. */
  #cr = '';

  constructor({ delimiter, header }: CsvLayout) {
    this.#parser = new Papa.Parser({ delimiter, newline: '\n' }) as never;
    this.#header = header;
  }

  /** Line on which the next row starts. */
  get nextLine(): number {
    return this.#line;
  }

  /** Number of characters that were added after the last complete row. */
  get unreadLength(): number {
    return this.#unread.length;
  }

  /**
   * Adds a part of the file, and yields the rows that are complete.
   *
   * @throws MalformedCsv if the text is not valid CSV
   */
  *add(part: string): Generator<CsvRow> {
    const text = this.#cr + part;
    this.#cr = text.endsWith('\r') ? '\r' : '';
    this.#unread += text.slice(0, text.length - this.#cr.length).replace(/\r\n?/g, '\n');
    yield* this.#rows(false);
  }

  /** Yields the last row. */
  *end(): Generator<CsvRow> {
    if (this.#cr) this.#unread += '\n';
    if (this.#unread !== '') yield* this.#rows(true);
  }

  *#rows(isEnd: boolean): Generator<CsvRow> {
    const { data, errors, meta } = this.#parser.parse(this.#unread, 0, !isEnd);
    this.#unread = this.#unread.slice(meta.cursor);
    // Ignores errors in an incomplete last row, because they may disappear when the rest of the row is read.
    const faulty = errors.find(({ row = 0 }) => row < data.length)?.row;
    for (const cells of data.slice(0, faulty)) {
      const start = this.#line;
      this.#line += cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1);
      const isEmpty = cells.length === 1 && cells[0] === '';
      if (isEmpty || start < this.#header) continue;
      this.#lastLine = start;
      yield { line: start, cells };
    }
    if (faulty !== undefined) throw new MalformedCsv(this.#lastLine);
  }
}

/** Length of the parts in which `readCsvText` reads a text. */
const PART_LENGTH = 64 * 1024;

/**
 * Reads the rows of a CSV text one by one.
 *
 * @throws MalformedCsv if the text is not valid CSV
 */
export function* readCsvText(text: string): Generator<CsvRow> {
  const reader = new CsvReader(detectCsvLayout(text.slice(0, PART_LENGTH)));
  for (let at = 0; at < text.length; at += PART_LENGTH) yield* reader.add(text.slice(at, at + PART_LENGTH));
  yield* reader.end();
}
