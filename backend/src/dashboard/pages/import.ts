import { setImmediate as tick } from 'node:timers/promises';
import { CODE_ALPHABET } from '../../domain/codes.ts';
import { randomText } from '../../domain/random.ts';
import { plainTitle } from '../../domain/titles.ts';
import type { Import } from '../../store/import-store.ts';
import { csvLine } from '../csv.ts';
import { FileProblem, type Survey, surveyFile } from '../import/file.ts';
import { handled, runImport, SILENCE } from '../import/run.ts';
import { receiveForm, TooLarge } from '../import/upload.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { streamed } from '../streamed.ts';
import { readerTimes } from '../time-zone.ts';
import { errorPage } from './error.ts';
import { againProblem, importView, uploadView } from './import-view.ts';

const ERRORS_SHOWN = 100;
const ERRORS_AT_ONCE = 1000;

/** How many imports of an account are kept, with the problems of their rows. */
const KEPT = 20;
const REMOVED_AT_ONCE = 1000;

/** Imports links from a CSV file. */
export function importPages(services: Services): Page[] {
  const { store, clock, random, log, holdStop, isStopping } = services;
  /** Accounts whose file this process receives or imports: one file each, since it is kept in memory meanwhile. */
  const running = new Set<number>();

  /** @param before the finished import of the same file, if there is one */
  async function showUpload(context: PageContext, problem: string | null, before: Import | null = null) {
    const imports = await store.imports.list(context.var.session.accountId, KEPT);
    const latest = imports.map((one) => ({ ...one, state: stateOf(one) }));
    const times = readerTimes(context);
    const body = uploadView({
      latest,
      problem: before ? againProblem(before, times) : problem,
      offersAgain: before !== null,
      times,
    });
    return page(context, { title: 'Import', section: 'links', body, status: problem || before ? 400 : 200 });
  }

  function stateOf({ finishedAt, updatedAt, runner }: Import): 'done' | 'running' | 'stopped' {
    if (finishedAt !== null) return 'done';
    return runner !== null && clock() - updatedAt < SILENCE ? 'running' : 'stopped';
  }

  async function ownImport(context: PageContext): Promise<Import | null> {
    const id = Number(context.req.param('id'));
    return Number.isSafeInteger(id) ? store.imports.get(context.var.session.accountId, id) : null;
  }

  /** Begins an import, or continues an unfinished one of the same file; returns a finished one, unless asked again. */
  function begin(accountId: number, file: File, { total, fingerprint }: Survey, again: boolean): Promise<Import> {
    const runner = randomText(random, CODE_ALPHABET, 12);
    const name = plainTitle(file.name.slice(0, 100)) ?? 'links.csv';
    return store.imports.begin({ accountId, name, total, fingerprint, runner, again, now: clock() });
  }

  async function finish(accountId: number, end: Promise<void>): Promise<void> {
    try {
      await end.finally(() => running.delete(accountId));
      while (!isStopping() && (await store.imports.forget(accountId, KEPT, REMOVED_AT_ONCE))) await tick();
    } catch (error) {
      log('error', 'an import failed', { error });
    }
  }

  /** Starts the import of the file in a form. Resolves to the answer, and to the end of the import if one has begun. */
  async function start(context: PageContext): Promise<{ answer: Response; end?: Promise<void> }> {
    const { accountId } = context.var.session;
    const form = await receiveForm(context, services);
    const file = form?.get('file');
    if (!(file instanceof File) || file.size === 0)
      return { answer: await showUpload(context, 'Please choose a file.') };
    const survey = await surveyFile(file);
    const begun = await begin(accountId, file, survey, form?.get('again') === 'yes');
    if (begun.finishedAt !== null) return { answer: await showUpload(context, null, begun) };
    const end = runImport(services, begun, file, survey.columns);
    return { answer: context.redirect(`/links/import/${begun.id}`, 303), end };
  }

  return [
    { method: 'GET', path: '/links/import', access: 'holder', handle: (context) => showUpload(context, null) },
    {
      method: 'POST',
      path: '/links/import',
      access: 'holder',
      readsBody: true,
      async handle(context) {
        const { accountId } = context.var.session;
        if (running.has(accountId))
          return showUpload(context, 'Another of your imports is still running. Please wait until it has finished.');
        running.add(accountId);
        let end: Promise<void> | undefined;
        try {
          const started = await start(context);
          end = started.end;
          return started.answer;
        } catch (error) {
          if (error instanceof TooLarge) return errorPage(context, 413);
          if (error instanceof FileProblem) return showUpload(context, error.message);
          throw error;
        } finally {
          if (end) holdStop(finish(accountId, end));
          else running.delete(accountId);
        }
      },
    },
    {
      method: 'GET',
      path: '/links/import/:id',
      access: 'holder',
      async handle(context) {
        const found = await ownImport(context);
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
        const found = await ownImport(context);
        if (!found) return errorPage(context, 404);
        const { made, unchanged, refused, total } = found;
        const figures = { made, unchanged, refused, handled: handled(found) };
        return context.json({ figures, total, isRunning: stateOf(found) === 'running' });
      },
    },
    {
      method: 'GET',
      path: '/links/import/:id/errors.csv',
      access: 'holder',
      async handle(context) {
        const found = await ownImport(context);
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
