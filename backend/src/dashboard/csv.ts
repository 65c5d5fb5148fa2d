/** What a spreadsheet would take for the start of a formula (OWASP, "CSV Injection"), or what already hides one. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** One line of a CSV file (RFC 4180). A cell that looks like a formula is led by an apostrophe, and so only ever text. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A cell as it was before `csvLine` wrote it. */
export function plainCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
