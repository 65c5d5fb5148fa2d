import type { Link } from '../queue/types.ts';

/** By this mark spreadsheets know UTF-8; without it some read every letter beyond ASCII as two of another alphabet. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The links as CSV (RFC 4180), newest first, instants as ISO 8601 in UTC. */
export function linksToCsv(links: Link[]): string {
  const rows = links.map((link) => [link.shortUrl, link.url, link.title, new Date(link.createdAt).toISOString()]);
  const lines = [['shortUrl', 'url', 'title', 'createdAt'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`);
  return BYTE_ORDER_MARK + lines.join('');
}

/** What spreadsheets take for a formula: its sign, also in full width, and after white space that they skip. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r]/u;

/** A title is whatever a page calls itself: one that a spreadsheet would run as a formula is made text. */
function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
