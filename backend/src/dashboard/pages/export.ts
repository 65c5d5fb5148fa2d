import { setImmediate as tick } from 'node:timers/promises';
import type { Link } from '@terse/contract';
import { apiLink } from '../../domain/api-link.ts';
import type { StoredLink } from '../../store/store.ts';
import { EXPORT_FORMATS, exportFile } from '../export-file.ts';
import type { Page } from '../page.ts';
import type { Services } from '../services.ts';

/** Links read at a time; other requests are served in between. */
const AT_ONCE = 1000;

/** All of an account's links as a file, oldest first. */
export function exportPages({ store, shortBaseUrl, clock }: Services): Page[] {
  async function* everyLink(accountId: number): AsyncGenerator<Link[]> {
    let after: StoredLink | null = null;
    for (;;) {
      const some: StoredLink[] = await store.links.list(accountId, after, AT_ONCE, 'oldest');
      yield some.map((link) => apiLink(link, shortBaseUrl));
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
