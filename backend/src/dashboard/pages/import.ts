import { plainTitle } from '../../domain/titles.ts';
import type { Import } from '../../store/import-store.ts';
import { csvLine } from '../csv.ts';
import type { Page, PageContext, Services } from '../env.ts';
import { FileProblem, surveyFile } from '../import/file.ts';
import { runImport, SILENCE } from '../import/run.ts';
import { receiveForm, TooLarge } from '../import/upload.ts';
import { page } from '../layout.ts';
import { streamed } from '../streamed.ts';
import { errorPage } from './error.ts';
import { importView, uploadView } from './import-view.ts';

const ERRORS_SHOWN = 100;
const ERRORS_AT_ONCE = 1000;
const LATEST = 5;

/** Links brought from elsewhere, as a CSV file. */
export function importPages(services: Services): Page[] {
  const { store, clock, log } = services;
  /** Accounts whose file this process receives or takes in: one at a time each, since it is held meanwhile. */
  const running = new Set<number>();

  async function upload(context: PageContext, problem: string | null) {
    const latest = await store.imports.list(context.var.session.accountId, LATEST);
    const body = uploadView(
      latest.map((one) => ({ ...one, state: stateOf(one) })),
      problem,
    );
    return page(context, { title: 'Import', section: 'links', body, status: problem ? 400 : 200 });
  }

  function stateOf({ finishedAt, updatedAt }: Import): 'done' | 'running' | 'stopped' {
    if (finishedAt !== null) return 'done';
    return clock() - updatedAt < SILENCE ? 'running' : 'stopped';
  }

  async function own(context: PageContext): Promise<Import | null> {
    const id = Number(context.req.param('id'));
    return Number.isSafeInteger(id) ? store.imports.get(context.var.session.accountId, id) : null;
  }

  async function start(context: PageContext, file: File): Promise<{ id: number; run: Promise<void> }> {
    const { accountId } = context.var.session;
    const { total, columns } = await surveyFile(file);
    const name = plainTitle(file.name.slice(0, 100)) ?? 'links.csv';
    const begun = await store.imports.begin({ accountId, name, total, now: clock() });
    const run = runImport(services, { importId: begun.id, file, columns });
    return { id: begun.id, run: run.catch((error) => log('error', 'an import failed', { error })) };
  }

  return [
    { method: 'GET', path: '/links/import', access: 'holder', handle: (context) => upload(context, null) },
    {
      method: 'POST',
      path: '/links/import',
      access: 'holder',
      readsBody: true,
      async handle(context) {
        const { accountId } = context.var.session;
        if (running.has(accountId)) return upload(context, 'Another import of yours is still running.');
        running.add(accountId);
        let run: Promise<void> | null = null;
        try {
          const file = (await receiveForm(context, services))?.get('file');
          if (!(file instanceof File) || file.size === 0) return await upload(context, 'Please choose a file.');
          const started = await start(context, file);
          run = started.run;
          return context.redirect(`/links/import/${started.id}`, 303);
        } catch (error) {
          if (error instanceof TooLarge) return errorPage(context, 413);
          if (error instanceof FileProblem) return upload(context, error.message);
          throw error;
        } finally {
          Promise.resolve(run).finally(() => running.delete(accountId));
        }
      },
    },
    {
      method: 'GET',
      path: '/links/import/:id',
      access: 'holder',
      async handle(context) {
        const found = await own(context);
        if (!found) return errorPage(context, 404);
        const state = stateOf(found);
        const errors = state === 'running' ? [] : await store.imports.errors(found.id, 0, ERRORS_SHOWN);
        const body = importView({ found, state, errors });
        return page(context, { title: 'Import', section: 'links', body, ...(state === 'running' && { refresh: 1 }) });
      },
    },
    {
      method: 'GET',
      path: '/links/import/:id/progress',
      access: 'holder',
      async handle(context) {
        const found = await own(context);
        if (!found) return errorPage(context, 404);
        const handled = found.made + found.unchanged + found.refused;
        return context.json({ handled, total: found.total, isRunning: stateOf(found) === 'running' });
      },
    },
    {
      method: 'GET',
      path: '/links/import/:id/errors.csv',
      access: 'holder',
      async handle(context) {
        const found = await own(context);
        if (!found) return errorPage(context, 404);
        const headers = {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="import-errors.csv"',
        };
        return context.body(streamed(errorFile(found.id)), 200, headers);
      },
    },
  ];

  async function* errorFile(importId: number): AsyncGenerator<string> {
    yield csvLine(['line', 'link', 'problem']);
    let line = 0;
    for (;;) {
      const some = await store.imports.errors(importId, line, ERRORS_AT_ONCE);
      if (some.length > 0) yield some.map(({ line: at, subject, problem }) => csvLine([at, subject, problem])).join('');
      if (some.length < ERRORS_AT_ONCE) return;
      line = some.at(-1)?.line ?? line;
    }
  }
}
