import { MAX_ROWS } from '../../import/readers/import-file.ts';
import type { ImportState } from '../../import/run-import.ts';
import type { Import } from '../../store/interface/import-store.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import type { RemainingQuota } from '../remaining-quota.ts';

/** What each service gives out, as its people know it. */
const SERVICES: readonly (readonly [string, string])[] = [
  ['Terse', 'The CSV or JSON at the end of your list of links.'],
  [
    'Bitly',
    'What its API answers to GET /v4/groups/GROUP/bitlinks, as JSON. The CSV of its pages is read too, as far as its columns are known.',
  ],
  ['chhoto-url', 'What its API answers to GET /api/all, as JSON.'],
  ['Dub', 'The CSV of its export.'],
  ['Kutt', 'What its API answers to GET /api/v2/links?limit=50&skip=0, page by page, as JSON.'],
  ['Lynx', 'The CSV or JSON of its export.'],
  ['Polr', 'Its table “links” as CSV with a header.'],
  ['Rebrandly', 'What its API answers to GET /v1/links, as JSON.'],
  ['Shlink', 'The CSV of its web client, or what its REST API answers to GET /rest/v3/short-urls, as JSON.'],
  ['Short.io', 'What its API answers to GET /api/links, as JSON.'],
  ['Sink', 'The JSON of its export.'],
  ['TinyURL', 'What its API answers to GET /alias/DOMAIN/ALIAS for each link, as JSON.'],
  ['T.LY', 'What its API answers to GET /api/v1/link/list, as JSON.'],
  ['YOURLS', 'The CSV, XML or RSS of the plugin “Import Export”, or what the API answers to action=stats, as JSON.'],
  [
    'Anything else',
    'A table as CSV, separated by commas, semicolons or tabs. Its first line names the columns: shortCode, url, title, createdAt and expiresAt; only url is needed.',
  ],
];

const STATE_NAMES: Record<ImportState, string> = { done: 'Finished', running: 'Running', stopped: 'Stopped' };

interface UploadView {
  latest: (Import & { state: ImportState })[];
  problem: string | null;
  /** What the person chose for a file that got lost, by field: it is sent along with the file. */
  choice: Record<string, string>;
  /** Null where nothing bounds the account. */
  budget: RemainingQuota | null;
  times: DateFormats;
}

export function uploadView({ latest, problem, choice, budget, times }: UploadView): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links/import" enctype="multipart/form-data">
  <div><h1>Import links</h1>
  <p class="card-intro">Choose a file that another service exported, or a table whose first line names its columns. Before anything is imported, you see what is in it.</p></div>
  <div class="field">
    <label for="file">File</label>
    <input class="input" id="file" name="file" type="file" accept=".csv,.tsv,.txt,.json,.jsonl,.xml,.rss,text/csv,application/json,text/xml,application/xml,application/rss+xml" required aria-describedby="file-help${problem ? ' file-problem' : ''}" ${problem ? html`aria-invalid="true" autofocus` : ''}>
    <p class="help" id="file-help">CSV, JSON or XML, at most ${formatNumber(MAX_ROWS)} links and 32 MB.${budget ? ` Your account can import ${formatCount(budget.left, 'more row')} until ${times.minuteText(budget.resetAt)}.` : ''}</p>
    ${problem ? html`<p class="problem" id="file-problem">${problem}</p>` : ''}
  </div>
  ${Object.entries(choice).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}Check file</button></div>
</form>
<details class="card more">
  <summary>Where your links can come from</summary>
  <div class="table-box" tabindex="0" role="region" aria-label="Services and what to export there"><table class="table"><thead><tr><th scope="col">Service</th><th scope="col">What to choose here</th></tr></thead><tbody>
${SERVICES.map(([service, exported]) => html`<tr><th scope="row">${service}</th><td class="cell-text">${exported}</td></tr>`)}
  </tbody></table></div>
</details>
<details class="card more">
  <summary>What happens to each link</summary>
  <ul class="plain">
    <li>If the file cannot be read, nothing changes. Otherwise, each link is imported or is listed with its problem.</li>
    <li>Terse keeps short codes, titles, creation dates and expiry dates. A link without a short code gets a new one.</li>
    <li>A link that you already have, with the same code and address, stays as it is. If a file has grown, you can import it again: only the new links are added, as long as each has a short code.</li>
    <li>If an import stops, choose the same file again: it continues where it stopped.</li>
    <li>Links with a password are not imported, because anybody could open them here. Clicks and tags are not imported either.</li>
  </ul>
</details>
${latest.length > 0 ? latestImports(latest, times) : ''}`;
}

function latestImports(latest: (Import & { state: ImportState })[], times: DateFormats): Html {
  const rows = latest.map(
    ({ id, name, startedAt, state, made, total }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><a href="/links/import/${id}"><bdi>${name}</bdi></a> ${state === 'done' ? '' : html`<span class="chip">${STATE_NAMES[state]}</span>`}</p>
    <p class="row-note">${times.minute(startedAt)} · ${formatCount(made, 'new link')} from ${formatCount(total, 'row')}</p></div></li>`,
  );
  return html`<section class="card is-flush" aria-labelledby="latest-title"><h2 class="flush-head" id="latest-title">Recent imports</h2><ul class="rows">${rows}</ul></section>`;
}
