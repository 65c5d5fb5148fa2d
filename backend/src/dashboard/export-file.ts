import type { Link } from '@terse/contract';
import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { PageContext } from './page.ts';
import { streamed } from './streamed.ts';

/** The forms that links can be downloaded in. */
export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8', json: 'application/json' };

const COLUMNS = ['shortCode', 'shortUrl', 'url', 'title', 'createdAt', 'expiresAt', 'clicks'] as const;

/** Answers with links as a file, written while they are read. */
export function exportFile(
  context: PageContext,
  format: ExportFormat,
  links: AsyncIterable<Link[]>,
  now: number,
): Response {
  const name = `terse-links-${new Date(now).toISOString().slice(0, 10)}.${format}`;
  return context.body(streamed(format === 'csv' ? csv(links) : json(links)), 200, {
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

async function* csv(links: AsyncIterable<Link[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  for await (const some of links) {
    if (some.length > 0) yield some.map((link) => csvLine(COLUMNS.map((column) => link[column]))).join('');
  }
}

async function* json(links: AsyncIterable<Link[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const some of links) {
    if (some.length === 0) continue;
    yield separator + some.map((link) => JSON.stringify(link)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
