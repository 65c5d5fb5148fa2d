import { setImmediate as tick } from 'node:timers/promises';
import type { Link } from '@terse/contract';
import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import { linkJson } from '../../domain/links/link-json.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { Page, PageContext, Services } from '../page-definition.ts';

/** A body that is produced while it is sent. It ends early where the client hangs up. */
export function streamed(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return();
    },
  });
}

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

/** Links read at a time; other requests are served in between. */
const AT_ONCE = 1000;

/** All of an account's links as a file, oldest first. */
export function exportPages({ store, shortBaseUrl, clock }: Services): Page[] {
  async function* everyLink(accountId: number): AsyncGenerator<Link[]> {
    let after: StoredLink | null = null;
    for (;;) {
      const some: StoredLink[] = await store.links.list(accountId, after, AT_ONCE, 'oldest');
      yield some.map((link) => linkJson(link, shortBaseUrl));
      if (some.length < AT_ONCE) return;
      after = some.at(-1) ?? null;
      await tick();
    }
  }

  return EXPORT_FORMATS.map((format) => ({
    method: 'GET',
    path: `/links/export.${format}`,
    access: 'holder',
    handle: (context) => exportFile(context, format, everyLink(context.var.session.accountId), clock()),
  }));
}
