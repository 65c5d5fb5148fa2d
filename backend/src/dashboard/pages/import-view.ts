import type { Import, ImportError } from '../../store/import-store.ts';
import { type Html, html } from '../html.ts';
import { ROW_LIMIT } from '../import/file.ts';
import { handled } from '../import/run.ts';
import { icon } from '../parts/icon.ts';
import type { Times } from '../times.ts';
import { count, figure } from '../words.ts';

type State = 'done' | 'running' | 'stopped';

const STATES: Record<State, string> = { done: 'Finished', running: 'Running', stopped: 'Stopped' };

interface Upload {
  latest: (Import & { state: State })[];
  problem: Html | string | null;
  /** Whether to offer importing a file again that was imported before. */
  offersAgain: boolean;
  times: Times;
}

/** What to say where the same file was imported before. */
export function againProblem({ startedAt }: Import, times: Times): Html {
  return html`You imported this file on ${times.minute(startedAt)}, so nothing was done. To import it once more, choose it again and tick the box.`;
}

export function uploadView({ latest, problem, offersAgain, times }: Upload): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links/import" enctype="multipart/form-data">
  <div><h1>Import links</h1>
  <p class="card-intro">Choose a CSV file whose first line names the columns. Terse reads its own exports, and those of Kutt, Shlink and YOURLS.</p></div>
  <div class="field">
    <label for="file">CSV file</label>
    <input class="input" id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" required aria-describedby="file-help${problem ? ' file-problem' : ''}" ${problem ? html`aria-invalid="true"` : ''}>
    <p class="help" id="file-help">UTF-8, at most ${figure(ROW_LIMIT)} rows and 32 MB.</p>
    ${problem ? html`<p class="problem" id="file-problem">${problem}</p>` : ''}
  </div>
  ${offersAgain ? html`<label class="check"><input type="checkbox" name="again" value="yes"> Import this file again. Rows without a short code become new links.</label>` : ''}
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}Import</button></div>
</form>
<details class="card more">
  <summary>What happens to each row</summary>
  <ul class="plain">
    <li>If the file cannot be read, nothing changes. Otherwise, each row becomes a link or is listed with its problem.</li>
    <li>Terse keeps short codes, titles, creation dates and expiry dates. A row without a short code gets a new one.</li>
    <li>A link that you already have, with the same code and address, stays as it is. If a file has grown, you can import it again: only the new rows are added, as long as every row has a short code.</li>
    <li>If an import stops, choose the same file again: it continues where it stopped.</li>
    <li>Links with a password are not imported, because anybody could open them here. Clicks and tags are not imported either.</li>
  </ul>
</details>
${latest.length > 0 ? latestImports(latest, times) : ''}`;
}

function latestImports(latest: (Import & { state: State })[], times: Times): Html {
  const rows = latest.map(
    ({ id, name, startedAt, state, made, total }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><a href="/links/import/${id}"><bdi>${name}</bdi></a> ${state === 'done' ? '' : html`<span class="chip">${STATES[state]}</span>`}</p>
    <p class="row-note">${times.minute(startedAt)} · ${count(made, 'new link')} from ${count(total, 'row')}</p></div></li>`,
  );
  return html`<section class="card is-flush" aria-labelledby="latest-title"><h2 class="flush-head" id="latest-title">Recent imports</h2><ul class="rows">${rows}</ul></section>`;
}

export function importView({ found, state, errors }: { found: Import; state: State; errors: ImportError[] }): Html {
  const { id, name, total, made, unchanged, refused } = found;
  const done = handled(found);
  const fact = (name: string, label: string, value: number, more = '') =>
    html`<div><dt>${label}</dt><dd><span data-import-figure="${name}">${figure(value)}</span>${more}</dd></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Import of <bdi>${name}</bdi></h1></div>
${state === 'running' ? progress(id, done, total) : ''}
${state === 'stopped' ? html`<p class="flash is-danger">${icon('warning')}<span>The import stopped after ${figure(done)} of ${count(total, 'row')}, because the service stopped. Choose the same file again to continue.</span></p>` : ''}
${state === 'done' ? html`<p class="flash is-good" role="status">${icon('check')}<span>The import is finished.</span></p>` : ''}
<dl class="facts">
  ${fact('made', 'New links', made)}
  ${fact('unchanged', 'Already there', unchanged)}
  ${fact('refused', 'With a problem', refused)}
  ${fact('handled', 'Rows done', done, ` of ${figure(total)}`)}
</dl>
${errors.length > 0 ? problems(id, errors, refused) : ''}
${state === 'running' ? '' : html`<div class="actions"><a class="button is-primary" href="/links">Show links</a><a class="button" href="/links/import">Import another file</a></div>`}`;
}

/** The bar. The figures below it stand for the same moment; a script moves all of them together. */
function progress(id: number, done: number, total: number): Html {
  return html`<section class="card" data-import="/links/import/${id}/progress">
  <label class="progress-label" for="progress">Importing…</label>
  <progress class="progress" id="progress" max="${total}" value="${done}"></progress>
  <p class="help">You can leave this page. The import continues.</p>
</section>`;
}

function problems(id: number, errors: ImportError[], refused: number): Html {
  const rows = errors.map(
    ({ line, subject, problem }) =>
      html`<tr><td>${line}</td><td class="cell-text"><bdi>${subject}</bdi></td><td>${problem}</td></tr>`,
  );
  const more =
    refused > errors.length
      ? html`<p class="help">These are the first ${errors.length} of ${figure(refused)}.</p>`
      : '';
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Rows with a problem</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Rows with a problem"><table class="table"><thead><tr><th scope="col">Line</th><th scope="col">Link</th><th scope="col">Problem</th></tr></thead><tbody>${rows}</tbody></table></div>
  ${more}
  <div class="actions"><a class="button" href="/links/import/${id}/errors.csv" download>${icon('down')}Download all as CSV</a></div>
</section>`;
}
