import type { Import } from '../../store/import-store.ts';
import type { BudgetLeft } from '../account-budget.ts';
import { type Html, html } from '../html.ts';
import { ROW_LIMIT } from '../import/file.ts';
import type { ImportState } from '../import/state.ts';
import { icon } from '../parts/icon.ts';
import type { Times } from '../times.ts';
import { count, figure } from '../words.ts';

const STATES: Record<ImportState, string> = { done: 'Finished', running: 'Running', stopped: 'Stopped' };

interface Upload {
  latest: (Import & { state: ImportState })[];
  problem: Html | string | null;
  /** Whether to offer importing a file again that was imported before. */
  offersAgain: boolean;
  /** Null where nothing bounds the account. */
  budget: BudgetLeft | null;
  times: Times;
}

/** What to say where the same file was imported before. */
export function againProblem({ startedAt }: Import, times: Times): Html {
  return html`You imported this file on ${times.minute(startedAt)}, so nothing was done. To import it once more, choose it again and tick the box.`;
}

export function uploadView({ latest, problem, offersAgain, budget, times }: Upload): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links/import" enctype="multipart/form-data">
  <div><h1>Import links</h1>
  <p class="card-intro">Choose a CSV file whose first line names the columns. Terse reads its own exports, and those of Kutt, Shlink and YOURLS.</p></div>
  <div class="field">
    <label for="file">CSV file</label>
    <input class="input" id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" required aria-describedby="file-help${problem ? ' file-problem' : ''}" ${problem ? html`aria-invalid="true" autofocus` : ''}>
    <p class="help" id="file-help">UTF-8, at most ${figure(ROW_LIMIT)} rows and 32 MB.${budget ? ` Your account can import ${count(budget.left, 'more row')} until ${times.minuteText(budget.resetAt)}.` : ''}</p>
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

function latestImports(latest: (Import & { state: ImportState })[], times: Times): Html {
  const rows = latest.map(
    ({ id, name, startedAt, state, made, total }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><a href="/links/import/${id}"><bdi>${name}</bdi></a> ${state === 'done' ? '' : html`<span class="chip">${STATES[state]}</span>`}</p>
    <p class="row-note">${times.minute(startedAt)} · ${count(made, 'new link')} from ${count(total, 'row')}</p></div></li>`,
  );
  return html`<section class="card is-flush" aria-labelledby="latest-title"><h2 class="flush-head" id="latest-title">Recent imports</h2><ul class="rows">${rows}</ul></section>`;
}
