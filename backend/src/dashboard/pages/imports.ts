import { setImmediate as tick } from 'node:timers/promises';
import { CODE_ALPHABET } from '../../domain/codes.ts';
import { randomText } from '../../domain/random.ts';
import { plainTitle } from '../../domain/titles.ts';
import type { Import } from '../../store/import-store.ts';
import { spendBudget, usedUp } from '../account-budget.ts';
import { FileProblem, type Survey, surveyFile } from '../import/file.ts';
import { runImport } from '../import/run.ts';
import { importState } from '../import/state.ts';
import { createUploads, TooLarge, TooManyUploads, type Upload } from '../import/uploads.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { errorPage } from './error.ts';
import { againProblem, uploadView } from './imports-view.ts';

/** How many imports of an account are kept, with the problems of their rows. */
const KEPT = 20;
const REMOVED_AT_ONCE = 1000;

const BUSY = 'Too many files are being imported right now. Please try again in a few minutes.';

/** Why a file was not imported: a sentence, or the finished import of the same file. */
type NotImported = { problem: string; status: 400 | 429 | 503 } | { before: Import };

/** Imports links from a CSV file, and lists the latest imports. */
export function importListPages(services: Services): Page[] {
  const { store, clock, random, log, holdStop, isStopping } = services;
  const uploads = createUploads(services);
  /** Accounts whose file this process receives or imports: one file each. */
  const running = new Set<number>();

  async function showUpload(context: PageContext, reason: NotImported | null = null) {
    const { accountId } = context.var.session;
    const imports = await store.imports.list(accountId, KEPT);
    const times = readerTimes(context);
    const before = reason && 'before' in reason ? reason.before : null;
    const body = uploadView({
      latest: imports.map((one) => ({ ...one, state: importState(one, clock()) })),
      problem: before ? againProblem(before, times) : reason && 'problem' in reason ? reason.problem : null,
      offersAgain: before !== null,
      budget: await spendBudget(services, accountId, 'rows', 0),
      times,
    });
    const status = reason === null ? 200 : 'status' in reason ? reason.status : 400;
    return page(context, { title: 'Import', section: 'links', body, status });
  }

  /** Begins an import, or continues an unfinished one of the same file; returns a finished one, unless asked again. */
  function begin(accountId: number, upload: Upload, { total, fingerprint }: Survey): Promise<Import> {
    const runner = randomText(random, CODE_ALPHABET, 12);
    const name = plainTitle(upload.name.slice(0, 100)) ?? 'links.csv';
    return store.imports.begin({ accountId, name, total, fingerprint, runner, again: upload.isAgain, now: clock() });
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
    const upload = await uploads.receive(context);
    let end: Promise<void> | undefined;
    try {
      if (!upload || upload.size === 0) return await refuse(context, { problem: 'Please choose a file.', status: 400 });
      const survey = await surveyFile(upload);
      const begun = await begin(accountId, upload, survey);
      if (begun.finishedAt !== null) return await refuse(context, { before: begun });
      end = runImport(services, begun, upload, survey.columns).finally(upload.close);
      return { answer: context.redirect(`/links/import/${begun.id}`, 303), end };
    } finally {
      if (!end) await upload?.close();
    }
  }

  async function refuse(context: PageContext, reason: NotImported): Promise<{ answer: Response }> {
    return { answer: await showUpload(context, reason) };
  }

  return [
    { method: 'GET', path: '/links/import', access: 'holder', handle: (context) => showUpload(context) },
    {
      method: 'POST',
      path: '/links/import',
      access: 'holder',
      readsBody: true,
      async handle(context) {
        const { accountId } = context.var.session;
        const budget = await spendBudget(services, accountId, 'rows', 0);
        if (budget?.left === 0)
          return showUpload(context, {
            problem: usedUp(budget, 'rows', 'Please choose the file again', readerTimes(context)),
            status: 429,
          });
        if (running.has(accountId)) return showUpload(context, { problem: STILL_RUNNING, status: 400 });
        running.add(accountId);
        let end: Promise<void> | undefined;
        try {
          const started = await start(context);
          end = started.end;
          return started.answer;
        } catch (error) {
          if (error instanceof TooLarge) return errorPage(context, 413);
          if (error instanceof TooManyUploads) {
            context.header('Retry-After', '60');
            return showUpload(context, { problem: BUSY, status: 503 });
          }
          if (error instanceof FileProblem) return showUpload(context, { problem: error.message, status: 400 });
          throw error;
        } finally {
          if (end) holdStop(finish(accountId, end));
          else running.delete(accountId);
        }
      },
    },
  ];
}

const STILL_RUNNING = 'Another of your imports is still running. Please wait until it has finished.';
