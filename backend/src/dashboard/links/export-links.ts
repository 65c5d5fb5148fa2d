import streams from 'node:stream/web';
import { setImmediate as tick } from 'node:timers/promises';
import type { Link } from '@terse/contract';
import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import { linkJson, type StoredLink } from '../../domain/links/stored-link.ts';
import type { PageContext, Pages, Services } from '../services.ts';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

type ExportFormat = (typeof EXPORT_FORMATS)[number];

const CONTENT_TYPES: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8', json: 'application/json' };

const COLUMNS = [
  'shortCode',
  'shortUrl',
  'url',
  'title',
  'createdAt',
  'expiresAt',
  'clicks',
  'importedClicks',
  'forwardQuery',
  'tags',
] as const;

/** Number of links per database query. The server handles other requests between two queries. */
const BATCH_SIZE = 1000;

/** Adds one download for each file format. Each file contains all links of the account, oldest first. */
export function addExportPages(pages: Pages, services: Services): void {
  const { store, clock } = services;

  async function* everyLink(accountId: number): AsyncGenerator<Link[]> {
    let after: StoredLink | null = null;
    for (;;) {
      const batch: StoredLink[] = await store.links.list(accountId, after, BATCH_SIZE, 'oldest');
      yield batch.map((link) => linkJson(link, services));
      if (batch.length < BATCH_SIZE) return;
      after = batch.at(-1) ?? null;
      await tick();
    }
  }

  for (const format of EXPORT_FORMATS) {
    pages.get(`/links/export.${format}`, (context) =>
      sendExport(context, format, everyLink(context.var.session.accountId), clock()),
    );
  }
}

/** Sends links as a file. The download starts before all links have been read from the database. */
export function sendExport(
  context: PageContext,
  format: ExportFormat,
  links: AsyncIterable<Link[]>,
  now: number,
): Response {
  const name = `terse-links-${new Date(now).toISOString().slice(0, 10)}.${format}`;
  return context.body(streamText(format === 'csv' ? csvLines(links) : jsonLines(links)), 200, {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

/** Returns a response body that is generated while it is sent. Generation stops if the client disconnects. */
export function streamText(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  return streams.ReadableStream.from(parts).pipeThrough(new streams.TextEncoderStream()) as ReadableStream<Uint8Array>;
}

async function* csvLines(links: AsyncIterable<Link[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  for await (const batch of links) {
    if (batch.length > 0) yield batch.map(linkLine).join('');
  }
}

function linkLine(link: Link): string {
  const cells = { ...link, forwardQuery: String(link.forwardQuery), tags: (link.tags ?? []).join(', ') };
  return csvLine(COLUMNS.map((column) => cells[column] ?? null));
}

async function* jsonLines(links: AsyncIterable<Link[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of links) {
    if (batch.length === 0) continue;
    yield separator + batch.map((link) => JSON.stringify(link)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
