import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { Import } from '../../store/import-store.ts';
import { spendBudget } from '../account-budget.ts';
import { handled } from '../import/run.ts';
import { importState } from '../import/state.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { streamed } from '../streamed.ts';
import { readerTimes } from '../time-zone.ts';
import { ifFound } from './found.ts';
import { ERRORS_SHOWN, importView } from './import-view.ts';

const ERRORS_AT_ONCE = 1000;

/** One import: how far it is, and the rows with a problem. */
export function importPages(services: Services): Page[] {
  const { store, clock } = services;

  async function ownImport(context: PageContext): Promise<Import | null> {
    const id = Number(context.req.param('id'));
    return Number.isSafeInteger(id) ? store.imports.get(context.var.session.accountId, id) : null;
  }

  return [
    {
      method: 'GET',
      path: '/links/import/:id',
      access: 'holder',
      handle: ifFound(ownImport, async (context, found) => {
        const state = importState(found, clock());
        const errors = state === 'running' ? [] : await store.imports.errors(found.id, 0, ERRORS_SHOWN);
        const budget = await spendBudget(services, found.accountId, 'rows', 0);
        const body = importView({ found, state, errors, budget, times: readerTimes(context) });
        return page(context, { title: 'Import', section: 'links', body, ...(state === 'running' && { refresh: 1 }) });
      }),
    },
    {
      method: 'GET',
      path: '/links/import/:id/progress',
      access: 'holder',
      handle: ifFound(ownImport, (context, found) => {
        const { made, unchanged, refused, total } = found;
        const figures = { made, unchanged, refused, handled: handled(found) };
        return context.json({ figures, total, isRunning: importState(found, clock()) === 'running' });
      }),
    },
    {
      method: 'GET',
      path: '/links/import/:id/errors.csv',
      access: 'holder',
      handle: ifFound(ownImport, (context, found) => {
        const headers = {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="import-errors.csv"',
        };
        return context.body(streamed(errorFile(found.id)), 200, headers);
      }),
    },
  ];

  async function* errorFile(importId: number): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(['line', 'link', 'problem']);
    let line = 0;
    for (;;) {
      const some = await store.imports.errors(importId, line, ERRORS_AT_ONCE);
      if (some.length > 0) yield some.map(({ line: at, subject, problem }) => csvLine([at, subject, problem])).join('');
      if (some.length < ERRORS_AT_ONCE) return;
      line = some.at(-1)?.line ?? line;
    }
  }
}
