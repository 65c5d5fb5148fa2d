import type { LinkRules } from '../../domain/link-rules.ts';
import type { ImportRow } from '../../store/import-store.ts';
import { plainCell } from '../csv.ts';
import { validateLinkForm } from '../link-form.ts';
import type { Column } from './columns.ts';

/** How much of a row its problem quotes, in characters. */
const SUBJECT_LIMIT = 120;

/** How other services write “no” or “nothing” in a cell. */
const NO = new Set(['', '0', 'f', 'false', 'no', 'null', '\\n']);

/**
 * Turns one row into a link, or says what is wrong with it. A link that has expired already is imported as it is.
 *
 * @param line where the row starts in the file, the header being 1
 */
export function validateRow(
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
    return problem('This link needs a password. Terse has no passwords for links, so anybody could open it here.');
  if (is('banned')) return problem('This link is banned on the service it comes from.');

  const validated = validateLinkForm(
    { url: text('url'), code, title: text('title'), expiresAt: readInstant(text('expiresAt')) },
    rules,
  );
  if ('problems' in validated) {
    return problem(
      Object.values(validated.problems).find((sentence) => sentence !== null) ?? 'This row is not a link.',
    );
  }
  const createdAt = readInstant(text('createdAt'));
  const made = typeof createdAt === 'number' && createdAt > 0 && createdAt <= now ? createdAt : now;
  return { line, subject, link: { ...validated.link, createdAt: made } };
}

/** Reads ISO 8601, and what databases write: a space for the T, a zone of two digits, or no zone, which means UTC. */
function readInstant(text: string): number | 'invalid' | null {
  if (NO.has(text.toLowerCase())) return null;
  const [, date, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text) ?? [];
  if (!date) return 'invalid';
  const fullZone = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone || 'Z';
  const instant = Date.parse(`${date}T${time ?? '00:00'}${fullZone}`);
  return Number.isNaN(instant) ? 'invalid' : instant;
}
