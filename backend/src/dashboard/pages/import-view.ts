import type { Import, ImportError } from '../../store/import-store.ts';
import { type Html, html } from '../html.ts';
import { handled } from '../import/run.ts';
import { icon } from '../parts/icon.ts';
import { minute } from '../parts/time.ts';

type State = 'done' | 'running' | 'stopped';

const STATES: Record<State, string> = { done: 'Done', running: 'Running', stopped: 'Stopped' };

interface Upload {
  latest: (Import & { state: State })[];
  problem: Html | string | null;
  /** Whether a file that was taken in before may be taken in again. */
  mayInsist: boolean;
}

/** What to say to a file that was taken in before. */
export function againProblem({ startedAt }: Import): Html {
  return html`This very file was imported on ${minute(startedAt)}, so nothing was done. To import it once more, choose it again and tick the box.`;
}

export function uploadView({ latest, problem, mayInsist }: Upload): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links/import" enctype="multipart/form-data">
  <div><h1>Import links</h1>
  <p class="card-intro">A CSV file with a first line that names its columns: Terse’s own export, or what Kutt, Shlink or YOURLS know of their links.</p></div>
  <div class="field">
    <label for="file">CSV file</label>
    <input class="input" id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" required aria-describedby="file-help${problem ? ' file-problem' : ''}" ${problem ? html`aria-invalid="true"` : ''}>
    <p class="help" id="file-help">At most 200,000 links and 32 MB, in UTF-8.</p>
    ${problem ? html`<p class="problem" id="file-problem">${problem}</p>` : ''}
  </div>
  ${mayInsist ? html`<label class="check"><input type="checkbox" name="again" value="yes"> Import it again. Rows without a short code become new links.</label>` : ''}
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}Import</button></div>
</form>
<details class="card more">
  <summary>What happens to each row</summary>
  <ul class="plain">
    <li>A file that cannot be read changes nothing. Otherwise every row stands for itself: it becomes a link, or is listed with what is wrong.</li>
    <li>Short codes, titles, dates of creation and expiries are taken over; a row without a short code gets a new one.</li>
    <li>A link you already have, with the same code and address, is left as it is. So a file that has grown can be sent again, and only what is missing is added, as long as its rows have short codes.</li>
    <li>An import that was stopped goes on where it was when you send the very same file again.</li>
    <li>Links that ask for a password are left out, since here they would be open. Clicks and tags stay behind.</li>
  </ul>
</details>
${latest.length > 0 ? latestImports(latest) : ''}`;
}

function latestImports(latest: (Import & { state: State })[]): Html {
  const rows = latest.map(
    ({ id, name, startedAt, state, made, total }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><a href="/links/import/${id}"><bdi>${name}</bdi></a> ${state === 'done' ? '' : html`<span class="chip">${STATES[state]}</span>`}</p>
    <p class="row-note">${minute(startedAt)} · ${made.toLocaleString('en')} of ${total.toLocaleString('en')} rows made a link</p></div></li>`,
  );
  return html`<section class="card is-flush" aria-labelledby="latest-title"><h2 class="flush-head" id="latest-title">Latest imports</h2><ul class="rows">${rows}</ul></section>`;
}

export function importView({ found, state, errors }: { found: Import; state: State; errors: ImportError[] }): Html {
  const { id, name, total, made, unchanged, refused } = found;
  const number = (count: number) => count.toLocaleString('en');
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Import of <bdi>${name}</bdi></h1></div>
${state === 'running' ? progress(id, handled(found), total) : ''}
${state === 'stopped' ? html`<p class="flash is-danger">${icon('warning')}<span>The service stopped while it imported. The first ${number(handled(found))} rows were handled. Send the same file again, and it goes on after them.</span></p>` : ''}
${state === 'done' ? html`<p class="flash is-good" role="status">${icon('check')}<span>Every row was handled.</span></p>` : ''}
<dl class="facts">
  <div><dt>Links made</dt><dd>${number(made)}</dd></div>
  <div><dt>Already there</dt><dd>${number(unchanged)}</dd></div>
  <div><dt>With a problem</dt><dd>${number(refused)}</dd></div>
  <div><dt>Rows</dt><dd>${number(total)}</dd></div>
</dl>
${errors.length > 0 ? problems(id, errors, refused) : ''}
${state === 'running' ? '' : html`<div class="actions"><a class="button is-primary" href="/links">To the links</a><a class="button" href="/links/import">Import another file</a></div>`}`;
}

function progress(id: number, done: number, total: number): Html {
  return html`<section class="card" data-import="/links/import/${id}/progress">
  <label class="progress-label" for="progress">Importing</label>
  <progress class="progress" id="progress" max="${total}" value="${done}"></progress>
  <p class="help" data-import-text>${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows</p>
  <p class="help">It goes on if you leave this page.</p>
</section>`;
}

function problems(id: number, errors: ImportError[], refused: number): Html {
  const rows = errors.map(
    ({ line, subject, problem }) =>
      html`<tr><td>${line}</td><td class="cell-text"><bdi>${subject}</bdi></td><td>${problem}</td></tr>`,
  );
  const more =
    refused > errors.length
      ? html`<p class="help">The first ${errors.length} of ${refused.toLocaleString('en')}.</p>`
      : '';
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Rows with a problem</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of the problems"><table class="table"><thead><tr><th scope="col">Line</th><th scope="col">Link</th><th scope="col">Problem</th></tr></thead><tbody>${rows}</tbody></table></div>
  ${more}
  <div class="actions"><a class="button" href="/links/import/${id}/errors.csv" download>${icon('down')}All of them as CSV</a></div>
</section>`;
}
