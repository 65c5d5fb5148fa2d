import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import { ApiError } from '../../http/api-error.ts';
import { handledRows, type ImportState, importState } from '../../import/run-import.ts';
import type { Import, ImportError } from '../../store/sql/import-queries.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { streamText } from '../links/selected-links.ts';
import { quotaUsedUpMessage, type RemainingQuota, readQuota } from '../remaining-quota.ts';
import type { PageContext, Pages, Services } from '../services.ts';

const MAX_ERRORS_SHOWN = 100;

const ERROR_BATCH = 1000;

interface ImportProgressView {
  run: Import;
  state: ImportState;
  errors: ImportError[];
  /** Number of rows that the account can still import today, or null if the account has no quota. */
  quota: RemainingQuota | null;
  times: DateFormats;
}

/** Page that shows the progress of an import, and the rows that failed. */
export function addImportProgressPages(pages: Pages, services: Services): void {
  const { store, clock } = services;

  async function ownImport(context: PageContext): Promise<Import> {
    const id = Number(context.req.param('id'));
    const run = Number.isSafeInteger(id) ? await store.imports.get(context.var.session.accountId, id) : null;
    if (!run) throw new ApiError('not_found');
    return run;
  }

  pages.get('/links/import/:id', async (context) => {
    const run = await ownImport(context);
    const state = importState(run, clock());
    const errors = state === 'running' ? [] : await store.imports.errors(run.id, 0, MAX_ERRORS_SHOWN);
    const quota = await readQuota(services, run.accountId, 'rows');
    const body = importProgressView({ run, state, errors, quota, times: readerDateFormats(context) });
    return page(context, { title: 'Import', section: 'links', body, ...(state === 'running' && { refresh: 1 }) });
  });
  pages.get('/links/import/:id/progress', async (context) => {
    const run = await ownImport(context);
    const { made, unchanged, refused, total } = run;
    const figures = { made, unchanged, refused, handled: handledRows(run) };
    return context.json({ figures, total, isRunning: importState(run, clock()) === 'running' });
  });
  pages.get('/links/import/:id/errors.csv', async (context) => {
    const run = await ownImport(context);
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="import-errors.csv"',
    };
    return context.body(streamText(errorFile(run.id)), 200, headers);
  });

  async function* errorFile(importId: number): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(['line', 'link', 'problem']);
    let line = 0;
    for (;;) {
      const batch = await store.imports.errors(importId, line, ERROR_BATCH);
      if (batch.length > 0)
        yield batch.map(({ line: at, subject, problem }) => csvLine([at, subject, problem])).join('');
      if (batch.length < ERROR_BATCH) return;
      line = batch.at(-1)?.line ?? line;
    }
  }
}

function importProgressView({ run, state, errors, quota, times }: ImportProgressView): Html {
  const { id, name, total, made, unchanged, refused } = run;
  const done = handledRows(run);
  const figure = (name: string, label: string, value: number, more = '') =>
    html`<div><dt>${label}</dt><dd><span data-import-figure="${name}">${formatNumber(value)}</span>${more}</dd></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Import of <bdi>${name}</bdi></h1></div>
${state === 'running' ? progressBar(id, done, total) : ''}
${state === 'stopped' ? html`<p class="notice is-danger">${icon('warning')}<span>The import stopped after ${formatNumber(done)} of ${formatCount(total, 'row')}. ${howToContinue(quota, times)}</span></p>` : ''}
${state === 'done' ? html`<p class="notice is-good" role="status">${icon('check')}<span>The import is finished.</span></p>` : ''}
<dl class="facts">
  ${figure('made', 'New links', made)}
  ${figure('unchanged', 'Already exist', unchanged)}
  ${figure('refused', 'With problems', refused)}
  ${figure('handled', 'Rows processed', done, ` of ${formatNumber(total)}`)}
</dl>
${errors.length > 0 ? problemTable(id, errors) : ''}
${state === 'running' ? '' : html`<div class="actions"><a class="button is-primary" href="/links">Show links</a><a class="button" href="/links/import">Import another file</a></div>`}`;
}

/** Explains how to continue an import. An import stops if the server stops or the quota is used up. */
function howToContinue(quota: RemainingQuota | null, times: DateFormats): string {
  if (quota?.left !== 0) return 'Choose the same file again to continue.';
  return quotaUsedUpMessage(quota, 'imported rows', 'To continue, choose the same file again', times);
}

/** Draws the progress bar. A script keeps the bar up to date. */
function progressBar(id: number, done: number, total: number): Html {
  return html`<section class="card" data-import="/links/import/${id}/progress">
  <label for="progress">Importing…</label>
  <progress id="progress" max="${total}" value="${done}"></progress>
  <p class="help">You can leave this page while the server imports the file. If the server stops, choose the same file again to continue.</p>
</section>`;
}

function problemTable(id: number, errors: ImportError[]): Html {
  const rows = errors.map(
    ({ line, subject, problem }) =>
      html`<tr><td>${line}</td><td class="cell-text"><bdi>${subject}</bdi></td><td>${problem}</td></tr>`,
  );
  // This note counts problems instead of rows, because one row can have several problems.
  const more =
    errors.length < MAX_ERRORS_SHOWN ? '' : html`<p class="help">This list shows the first ${errors.length}.</p>`;
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Rows with problems</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of rows with problems"><table class="table"><thead><tr><th scope="col">Line or entry</th><th scope="col">Link</th><th scope="col">Problem</th></tr></thead><tbody>${rows}</tbody></table></div>
  ${more}
  <div class="actions"><a class="button" href="/links/import/${id}/errors.csv" download>${icon('down')}Download all as CSV</a></div>
</section>`;
}
