import type { LinkRules } from '../../domain/new-links.ts';
import type { ImportRow } from '../../store/import-store.ts';
import { plainCell } from '../csv.ts';
import { judgeLink } from '../wanted-link.ts';
import type { Column } from './columns.ts';

/** As much of a row as its error repeats, in characters. */
const SUBJECT_LIMIT = 120;

/** How other services write that something is not so. */
const NO = new Set(['', '0', 'f', 'false', 'no', 'null', '\\n']);

/**
 * Judges one row. Links are taken as they were: one that has expired since is kept, expired.
 *
 * @param line where the row starts in the file, the header being 1
 */
export function judgeRow(
  cells: string[],
  columns: Map<Column, number>,
  line: number,
  rules: LinkRules,
  now: number,
): ImportRow {
  const text = (column: Column) => plainCell(cells[columns.get(column) ?? -1]?.trim() ?? '');
  const is = (column: Column) => !NO.has(text(column).toLowerCase());
  // A plugin of YOURLS writes /code/.
  const code = text('code').replace(/^\/+|\/+$/g, '');
  const subject = (code || text('url')).slice(0, SUBJECT_LIMIT).toWellFormed();
  const problem = (sentence: string) => ({ line, subject, problem: sentence });
  if (is('password'))
    return problem('This link asks for a password, which Terse has not. Here it would be open to everybody.');
  if (is('banned')) return problem('This link was banned where it comes from.');

  const judged = judgeLink(
    { url: text('url'), code, title: text('title'), expiresAt: readInstant(text('expiresAt')) },
    rules,
  );
  if ('problems' in judged) {
    return problem(Object.values(judged.problems).find((sentence) => sentence !== null) ?? 'This row is not a link.');
  }
  const createdAt = readInstant(text('createdAt'));
  const made = typeof createdAt === 'number' && createdAt > 0 && createdAt <= now ? createdAt : now;
  return { line, subject, link: { ...judged.link, createdAt: made } };
}

/** ISO 8601, and what databases write: a space for the T, two digits of zone, or no zone, which is taken as UTC. */
function readInstant(text: string): number | 'invalid' | null {
  if (NO.has(text.toLowerCase())) return null;
  const [, date, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text) ?? [];
  if (!date) return 'invalid';
  const fullZone = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone || 'Z';
  const instant = Date.parse(`${date}T${time ?? '00:00'}${fullZone}`);
  return Number.isNaN(instant) ? 'invalid' : instant;
}
