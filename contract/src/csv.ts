/** First character of a CSV file. Without it, some spreadsheet programs do not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Matches the start of a spreadsheet formula (OWASP, "CSV Injection"), including any preceding characters that
 * spreadsheet programs skip.
 */
const FORMULA = /^['"\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠\t\r]/u;

/**
 * Matches the end of a cell for spreadsheet programs that use semicolons or tabs as delimiters. Quotes are ignored,
 * because these programs do not recognize quotes inside a cell.
 */
const CELL_END = /(?<=[;\t\r\n])/;

const URL_CELL = /^https?:\/\/\S*$/i;

/**
 * Returns one line of a CSV file (RFC 4180). Adds an apostrophe before each formula, so that spreadsheet programs
 * treat the formula as text. In a URL, percent-encodes the semicolon before a formula instead, because an apostrophe
 * would change the URL's target.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

export function plainCell(written: string): string {
  if (URL_CELL.test(written)) return written;
  return written
    .split(CELL_END)
    .map((part) => (part.startsWith("'") && FORMULA.test(part.slice(1)) ? part.slice(1) : part))
    .join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = URL_CELL.test(value) ? withoutFormulas(value) : withApostrophes(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withApostrophes(text: string): string {
  return text
    .split(CELL_END)
    .map((part) => (FORMULA.test(part) ? `'${part}` : part))
    .join('');
}

function withoutFormulas(url: string): string {
  const [first, ...rest] = url.split(';');
  return first + rest.map((part) => (FORMULA.test(part) ? `%3B${part}` : `;${part}`)).join('');
}
