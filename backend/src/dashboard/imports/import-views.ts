import { readableHost } from '@terse/contract';
import { domainNames, type ShortBaseUrls } from '../../domain/links/short-codes.ts';
import { type ImportFile, MAX_ROWS } from '../../import/open-file.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import { handledRows, type ImportState } from '../../import/run-import.ts';
import type { Import, ImportError } from '../../store/sql/import-queries.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { flashMessage, type Html, html, icon } from '../components/html-elements.ts';
import type { RemainingQuota } from '../remaining-quota.ts';

/** Services whose exported files can be imported. */
const SERVICES =
  'Terse, Bitly, chhoto-url, Dub, Kutt, Lynx, Polr, Rebrandly, Shlink, Short.io, Sink, TinyURL, T.LY and YOURLS';

const STATE_NAMES: Record<ImportState, string> = { done: 'Finished', running: 'Running', stopped: 'Stopped' };

interface UploadView {
  latest: (Import & { state: ImportState })[];
  problem: string | null;
  /** Null if the account has no quota. */
  quota: RemainingQuota | null;
  times: DateFormats;
}

/** Page for choosing a file. It also lists recent imports. */
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
  <summary>How links are imported</summary>
  <ul class="plain">
    <li>Terse reads the exported files and API responses of ${SERVICES}, and tables whose first line names the columns shortCode, url, title, createdAt and expiresAt. Only url is required.</li>
    <li>If the file cannot be read, nothing is imported. Otherwise, each link is imported or listed with its problem.</li>
    <li>Short codes, titles, tags, creation dates, expiry dates and click totals are imported. Other data, such as notes, click limits and redirect rules, is not. A link without a short code gets a new one.</li>
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

const MAX_PROBLEMS_SHOWN = 12;

const ENCODINGS = { 'utf-8': '', 'utf-16le': ', in UTF-16', 'utf-16be': ', in UTF-16', 'windows-1252': ', in Latin-1' };

interface PreviewView {
  token: string;
  name: string;
  file: ImportFile;
  preview: ImportPreview;
  /** Last import of the same file, or null if there is none. */
  earlier: Import | null;
  shortBaseUrls: ShortBaseUrls;
  times: DateFormats;
}

/** Page that says what an import will do, before it starts. */
export function previewView(view: PreviewView): Html {
  const { name, file, preview } = view;
  const { total, ready } = preview;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Preview of <bdi>${name}</bdi></h1></div>
<p class="help">Detected format: ${file.format.name}${ENCODINGS[file.encoding]}. Nothing has been imported yet.</p>
<dl class="facts">
  ${figure('Links', total)}
  ${figure('Can be imported', ready)}
  ${figure('With problems', total - ready)}
</dl>
${warnings(view).map((warning) => html`<p class="notice is-warning">${icon('warning')}<span>${warning}</span></p>`)}
${firstLinkList(view)}
${preview.problems.length > 0 ? problemTable(view) : ''}
${startForm(view)}`;
}

function figure(label: string, value: number, more = ''): Html {
  return html`<div><dt>${label}</dt><dd>${formatNumber(value)}${more}</dd></div>`;
}

function warnings({ file, earlier, preview, times }: PreviewView): (Html | string)[] {
  const notes: (Html | string)[] = [...(file.format.notes ?? [])];
  if (earlier) notes.unshift(earlierImport(earlier, times));
  if (preview.undated > 0) {
    notes.push(`${formatCount(preview.undated, 'creation date')} cannot be read and will be replaced by today’s date.`);
  }
  return notes;
}

function earlierImport(earlier: Import, times: DateFormats): Html {
  const { startedAt, finishedAt } = earlier;
  return finishedAt === null
    ? html`An import of this file stopped after ${formatCount(handledRows(earlier), 'row')}. It continues with the next row.`
    : html`You already imported this file on ${times.minute(startedAt)}. If you import it again, links without a short code become new links.`;
}

function position({ file }: PreviewView, at: number): string {
  return `${file.isTable ? 'Line' : 'Entry'} ${formatNumber(at)}`;
}

function firstLinkList(view: PreviewView): Html {
  const { first, total } = view.preview;
  const rows = first.map(
    ({ at, code, domain, url, problem }) => html`<li class="row"><div class="row-text">
    <p class="row-title">${code === null ? 'New short code' : html`<bdi>${code || 'No short code'}</bdi>`}${problem === null ? '' : html` <span class="chip is-warning">Problem</span>`}</p>
    <p class="row-note">${url ? html`<bdi>${url}</bdi>` : 'No address'}</p>
    <p class="row-note">${position(view, at)}${domain === null ? '' : html` · <bdi>${readableHost(domain)}</bdi>`}${problem === null ? '' : ` · ${problem}`}</p></div></li>`,
  );
  const title = total > first.length ? `The first ${first.length} links` : 'The links';
  return html`<section class="card is-flush" aria-labelledby="first-title"><h2 class="flush-head" id="first-title">${title}</h2><ul class="rows">${rows}</ul></section>`;
}

function problemTable(view: PreviewView): Html {
  const rows = view.preview.problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(
      ({ problem, links, at }) =>
        html`<tr><td class="cell-text">${problem}</td><td>${formatNumber(links)}</td><td>${position(view, at)}</td></tr>`,
    );
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Links that cannot be imported</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of problems"><table class="table"><thead><tr><th scope="col">Problem</th><th scope="col">Links</th><th scope="col">First at</th></tr></thead><tbody>${rows}</tbody></table></div>
  <p class="help">After the import, you can download a list of all problems.</p>
</section>`;
}

function startForm(view: PreviewView): Html {
  const { token, preview, shortBaseUrls } = view;
  const ownDomains = domainNames(shortBaseUrls).map(readableHost);
  const { ready } = preview;
  const domains =
    ownDomains.length === 1
      ? 'All links move to the domain of this server.'
      : `Links on ${ownDomains.join(', ')} keep their domain. All others move to ${ownDomains[0]}.`;
  const numbers =
    ready === 0
      ? 'No link in this file can be imported. Continue to get a list of all problems.'
      : `${domains} These numbers include links whose short code is already taken on this server. The import lists them as problems.`;
  return html`<form class="card" method="post" action="/links/import/start">
  <h2>Import</h2>
  <input type="hidden" name="token" value="${token}">
  <p class="help">${numbers}</p>
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}${ready === 0 ? 'List the problems' : `Import ${formatCount(ready, 'link')}`}</button><a class="button" href="/links/import">Choose another file</a></div>
</form>`;
}

/** Maximum number of problems on the page of an import. */
export const MAX_ERRORS_SHOWN = 100;

/** Page that shows the progress of an import, and the rows that failed. */
export function progressView(run: Import, state: ImportState, errors: ImportError[]): Html {
  const { id, name, total, made, unchanged, refused } = run;
  const done = handledRows(run);
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Import of <bdi>${name}</bdi></h1></div>
${state === 'running' ? progressBar(done, total) : ''}
${state === 'stopped' ? html`<p class="notice is-danger">${icon('warning')}<span>The import stopped after ${formatNumber(done)} of ${formatCount(total, 'row')}. Choose the same file again to continue.</span></p>` : ''}
${state === 'done' ? flashMessage('The import is finished.') : ''}
<dl class="facts" ${state === 'running' ? html`data-importing` : ''}>
  ${figure('New links', made)}
  ${figure('Already exist', unchanged)}
  ${figure('With problems', refused)}
  ${figure('Rows processed', done, ` of ${formatNumber(total)}`)}
</dl>
${errors.length > 0 ? errorTable(id, errors) : ''}
${state === 'running' ? '' : html`<div class="actions"><a class="button is-primary" href="/links">Show links</a><a class="button" href="/links/import">Import another file</a></div>`}`;
}

function progressBar(done: number, total: number): Html {
  return html`<section class="card" data-importing>
  <label for="progress">Importing…</label>
  <progress id="progress" max="${total}" value="${done}"></progress>
  <p class="help">You can leave this page while the server imports the file. If the server stops, choose the same file again to continue.</p>
</section>`;
}

function errorTable(id: number, errors: ImportError[]): Html {
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
