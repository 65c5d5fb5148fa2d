import type { Import, ImportError } from '../../store/import-store.ts';
import { type BudgetLeft, usedUp } from '../account-budget.ts';
import { type Html, html } from '../html.ts';
import { handled } from '../import/run.ts';
import type { ImportState } from '../import/state.ts';
import { icon } from '../parts/icon.ts';
import type { Times } from '../times.ts';
import { count, figure } from '../words.ts';

/** How many rows with a problem are shown. */
export const ERRORS_SHOWN = 100;

interface ImportView {
  found: Import;
  state: ImportState;
  errors: ImportError[];
  /** What the account may still import today; null where nothing bounds it. */
  budget: BudgetLeft | null;
  times: Times;
}

export function importView({ found, state, errors, budget, times }: ImportView): Html {
  const { id, name, total, made, unchanged, refused } = found;
  const done = handled(found);
  const fact = (name: string, label: string, value: number, more = '') =>
    html`<div><dt>${label}</dt><dd><span data-import-figure="${name}">${figure(value)}</span>${more}</dd></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Import of <bdi>${name}</bdi></h1></div>
${state === 'running' ? progress(id, done, total) : ''}
${state === 'stopped' ? html`<p class="flash is-danger">${icon('warning')}<span>The import stopped after ${figure(done)} of ${count(total, 'row')}. ${continuation(budget, times)}</span></p>` : ''}
${state === 'done' ? html`<p class="flash is-good" role="status">${icon('check')}<span>The import is finished.</span></p>` : ''}
<dl class="facts">
  ${fact('made', 'New links', made)}
  ${fact('unchanged', 'Already there', unchanged)}
  ${fact('refused', 'With a problem', refused)}
  ${fact('handled', 'Rows done', done, ` of ${figure(total)}`)}
</dl>
${errors.length > 0 ? problems(id, errors) : ''}
${state === 'running' ? '' : html`<div class="actions"><a class="button is-primary" href="/links">Show links</a><a class="button" href="/links/import">Import another file</a></div>`}`;
}

/** How to continue an import that stopped: with the service, or because the account's budget was used up. */
function continuation(budget: BudgetLeft | null, times: Times): string {
  if (budget?.left !== 0) return 'Choose the same file again to continue.';
  return usedUp(budget, 'rows', 'To continue, choose the same file again', times);
}

/** The bar. The figures below it stand for the same moment; a script moves all of them together. */
function progress(id: number, done: number, total: number): Html {
  return html`<section class="card" data-import="/links/import/${id}/progress">
  <label class="progress-label" for="progress">Importing…</label>
  <progress class="progress" id="progress" max="${total}" value="${done}"></progress>
  <p class="help">You can leave this page. The import continues.</p>
</section>`;
}

function problems(id: number, errors: ImportError[]): Html {
  const rows = errors.map(
    ({ line, subject, problem }) =>
      html`<tr><td>${line}</td><td class="cell-text"><bdi>${subject}</bdi></td><td>${problem}</td></tr>`,
  );
  // A row that stands for several links can have several problems, so fewer rows can be all there are.
  const more = errors.length < ERRORS_SHOWN ? '' : html`<p class="help">These are the first ${errors.length}.</p>`;
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Rows with a problem</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of rows with a problem"><table class="table"><thead><tr><th scope="col">Line or entry</th><th scope="col">Link</th><th scope="col">Problem</th></tr></thead><tbody>${rows}</tbody></table></div>
  ${more}
  <div class="actions"><a class="button" href="/links/import/${id}/errors.csv" download>${icon('down')}Download all as CSV</a></div>
</section>`;
}
