import { MAX_ROWS } from '../../import/import-file.ts';
import type { ImportState } from '../../import/run-import.ts';
import type { Import } from '../../store/sql/import-queries.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import type { RemainingQuota } from '../remaining-quota.ts';

/** Services whose exported files can be imported, with their file formats. */
const SERVICES: readonly (readonly [string, string])[] = [
  ['Terse', 'The CSV or JSON download below your list of links.'],
  ['Bitly', 'The JSON response of GET /v4/groups/GROUP/bitlinks. CSV downloads also work if their columns are known.'],
  ['chhoto-url', 'The JSON response of GET /api/all.'],
  ['Dub', 'The CSV export.'],
  ['Kutt', 'The JSON responses of GET /api/v2/links?limit=50&skip=0, page by page.'],
  ['Lynx', 'The JSON export.'],
  ['Polr', 'The table “links” as CSV with a header.'],
  ['Rebrandly', 'The JSON response of GET /v1/links.'],
  ['Shlink', 'The CSV export of the web client, or the JSON response of GET /rest/v3/short-urls.'],
  ['Short.io', 'The JSON response of GET /api/links.'],
  ['Sink', 'The JSON export.'],
  ['TinyURL', 'The JSON response of GET /alias/DOMAIN/ALIAS for each link.'],
  ['T.LY', 'The JSON response of GET /api/v1/link/list.'],
  ['YOURLS', 'The CSV export of the plugin “Import Export”, or the JSON response of the API action “stats”.'],
  [
    'Other services',
    'A CSV table, separated by commas, semicolons or tabs. Its first line names the columns: shortCode, url, title, createdAt and expiresAt. Only url is required.',
  ],
];

const STATE_NAMES: Record<ImportState, string> = { done: 'Finished', running: 'Running', stopped: 'Stopped' };

interface UploadView {
  latest: (Import & { state: ImportState })[];
  problem: string | null;
  /** Null if the account has no quota. */
  quota: RemainingQuota | null;
  times: DateFormats;
}

export function uploadView({ latest, problem, quota, times }: UploadView): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links/import" enctype="multipart/form-data">
  <div><h1>Import links</h1>
  <p class="card-intro">Choose a file exported from another service, or a table whose first line names its columns. You see a preview before anything is imported.</p></div>
  <div class="field">
    <label for="file">File</label>
    <input class="input" id="file" name="file" type="file" accept=".csv,.tsv,.txt,.json,.jsonl,text/csv,application/json" required aria-describedby="file-help${problem ? ' file-problem' : ''}" ${problem ? html`aria-invalid="true" autofocus` : ''}>
    <p class="help" id="file-help">CSV or JSON, up to ${formatNumber(MAX_ROWS)} links and 32 MB.${quota ? ` Your account can import ${formatCount(quota.left, 'more row')} until ${times.minuteText(quota.resetAt)}.` : ''}</p>
    ${problem ? html`<p class="problem" id="file-problem">${problem}</p>` : ''}
  </div>
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}Check file</button></div>
</form>
<details class="card more">
  <summary>Supported services</summary>
  <div class="table-box" tabindex="0" role="region" aria-label="Services and files to choose"><table class="table"><thead><tr><th scope="col">Service</th><th scope="col">File to choose</th></tr></thead><tbody>
${SERVICES.map(([service, file]) => html`<tr><th scope="row">${service}</th><td class="cell-text">${file}</td></tr>`)}
  </tbody></table></div>
</details>
<details class="card more">
  <summary>How links are imported</summary>
  <ul class="plain">
    <li>If the file cannot be read, nothing is imported. Otherwise, each link is imported or listed with its problem.</li>
    <li>Short codes, titles, tags, creation dates, expiry dates and click totals are imported. A link without a short code gets a new one.</li>
    <li>Links that you already have, with the same short code and address, do not change. You can import a newer version of a file: only new links are added, if each has a short code.</li>
    <li>If an import stops, choose the same file again to continue.</li>
    <li>Links with a password are not imported, because anyone could open them without it.</li>
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
