import { setImmediate as tick } from 'node:timers/promises';
import type { Link } from '@terse/contract';
import { apiLink } from '../../domain/api-link.ts';
import type { StoredLink } from '../../store/store.ts';
import { csvLine } from '../csv.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { streamed } from '../streamed.ts';

/** Links read at a time; other requests are served in between. */
const AT_ONCE = 1000;

const COLUMNS = ['shortCode', 'shortUrl', 'url', 'title', 'createdAt', 'expiresAt', 'clicks'] as const;

/** All of an account's links as a file, oldest first, written while they are read. */
export function exportPages({ store, shortBaseUrl, clock }: Services): Page[] {
  const links = (context: PageContext) => everyLink(context.var.session.accountId);

  async function* everyLink(accountId: number): AsyncGenerator<Link[]> {
    let after: number | null = null;
    for (;;) {
      const some: StoredLink[] = await store.links.list(accountId, after, AT_ONCE, 'oldest');
      yield some.map((link) => apiLink(link, shortBaseUrl));
      if (some.length < AT_ONCE) return;
      after = some.at(-1)?.id ?? null;
      await tick();
    }
  }

  function file(context: PageContext, type: string, extension: string, text: AsyncGenerator<string>): Response {
    const name = `terse-links-${new Date(clock()).toISOString().slice(0, 10)}.${extension}`;
    return context.body(streamed(text), 200, {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  }

  return [
    {
      method: 'GET',
      path: '/links/export.csv',
      access: 'holder',
      handle: (context) => file(context, 'text/csv; charset=utf-8', 'csv', csv(links(context))),
    },
    {
      method: 'GET',
      path: '/links/export.json',
      access: 'holder',
      handle: (context) => file(context, 'application/json', 'json', json(links(context))),
    },
  ];
}

async function* csv(links: AsyncIterable<Link[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
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
