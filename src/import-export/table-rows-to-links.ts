import { parseDateTime } from '@terse/contract/link-fields';
import { codeIn } from '../queue/results/apply-result.ts';
import { MAX_URL_LENGTH, typedTarget } from '../urls/shortenable-url-rules.ts';
import { ExportedLink } from './export-schema.ts';
import type { Contents, Field, SkipReason } from './import-limits-and-errors.ts';
import { recognizeColumns, type Table } from './parse-table-and-columns.ts';

type Row = Record<string, string>;

/**
 * Converts table rows to links, and removes user names and passwords from their URLs. Returns null if the columns are
 * not recognized. Skips rows without a web URL. Rows without a valid date get the current time.
 */
export function readLinks(
  { headers, rows, list, isReversed }: Table,
  now: number,
): Pick<Contents, 'columns' | 'links' | 'leftOut'> | null {
  const names = recognizeColumns(headers);
  if (names.url === undefined || names.shortUrl === undefined) return null;
  if (!rows.some((row) => instantOf(cellOf(row, names.createdAt)) !== null)) delete names.createdAt;
  const links: ExportedLink[] = [];
  const leftOut: Contents['leftOut'] = [];
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const link = linkOf(row, names, now, index);
    const reason = typeof link === 'string' ? link : seen.has(link.shortUrl) ? 'twice' : null;
    if (reason || typeof link === 'string') {
      const entry = isReversed ? rows.length - index : index + 1;
      leftOut.push({ list, entry, reason: reason ?? 'broken_entry' });
      continue;
    }
    seen.add(link.shortUrl);
    links.push(link);
  }
  const recognized = (Object.entries(names) as [Field, string][]).map(([field, name]) => ({ field, name }));
  const unused = headers.filter((header) => header && !Object.values(names).includes(header));
  return { columns: { recognized, unused }, links, leftOut };
}

function linkOf(
  row: Row,
  names: Partial<Record<Field, string>>,
  now: number,
  index: number,
): ExportedLink | SkipReason {
  const cell = (field: Field) => cellOf(row, names[field]);
  if (!cell('url')) return 'no_long_url';
  if (!cell('shortUrl')) return 'no_short_url';
  const url = webUrl(cell('url'));
  const shortUrl = webUrl(cell('shortUrl'));
  if (!url) return cell('url').length > MAX_URL_LENGTH ? 'broken_entry' : 'bad_long_url';
  if (!shortUrl) return 'bad_short_url';
  const createdAt = Math.min(instantOf(cell('createdAt')) ?? now - index, now);
  const link = ExportedLink.safeParse({
    // The same file always produces the same ids, so a second import adds nothing.
    id: `imported ${shortUrl}`,
    connectionId: null,
    groupId: null,
    url,
    title: cell('title').slice(0, 1_000),
    shortUrl,
    shortCode: codeIn(shortUrl),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: null,
  });
  return link.success ? link.data : 'broken_entry';
}

function cellOf(row: Row, name: string | undefined): string {
  return name === undefined ? '' : (row[name] ?? '').trim();
}

function webUrl(text: string): string | null {
  const target = typedTarget(text, () => false);
  return 'url' in target ? target.url : null;
}

const YEAR_1990 = 631_152_000_000;
const YEAR_2100 = 4_102_444_800_000;

/**
 * Parses a time and returns it in milliseconds. Accepts ISO 8601 times, and numbers of seconds or milliseconds since
 * the epoch. A time without a time zone is in UTC. Returns null for any other format, because such a date could be
 * ambiguous.
 */
function instantOf(text: string): number | null {
  const dateTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
  const at = dateTime ? isoInstant(dateTime) : epochInstant(text);
  return at !== null && at > YEAR_1990 && at < YEAR_2100 ? at : null;
}

function isoInstant([, date = '', time = '00:00', zone = 'Z']: RegExpExecArray): number | null {
  const seconds = time.length === 5 ? `${time}:00` : time;
  const colon = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  return parseDateTime(`${date}T${seconds}${colon}`);
}

function epochInstant(text: string): number | null {
  if (!/^\d{9,13}(\.\d+)?$/.test(text)) return null;
  const value = Number(text);
  return value < 100_000_000_000 ? value * 1000 : value;
}
