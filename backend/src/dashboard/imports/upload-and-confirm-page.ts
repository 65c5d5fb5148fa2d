import { setImmediate as tick } from 'node:timers/promises';
import { readableHost } from '@terse/contract';
import { randomText } from '../../domain/clock-and-random.ts';
import { normalizeTitle } from '../../domain/links/link-rules.ts';
import { CODE_ALPHABET, domainNames } from '../../domain/links/short-codes.ts';
import { FileProblem, MAX_ROWS } from '../../import/import-file.ts';
import {
  choiceFingerprint,
  type ImportPreview,
  previewImport,
  readPreview,
  suggestedDomains,
  writePreview,
} from '../../import/preview-import.ts';
import type { ImportRules } from '../../import/record-to-link.ts';
import { type ImportState, importState, runImport } from '../../import/run-import.ts';
import { UPLOAD_LIFETIME_MS } from '../../maintenance/maintenance.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import type { Import } from '../../store/sql/import-queries.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { type Form, readForm } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { dailyQuota, quotaUsedUpMessage, type RemainingQuota, readQuota } from '../remaining-quota.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { alreadyImportedMessage, previewView } from './preview-view.ts';
import { receiveUpload, TooManyUploads, uploadedFile } from './receive-upload.ts';

/** Maximum number of imports that the server stores per account. */
const MAX_IMPORTS = 20;
const DELETE_BATCH = 1000;

const BUSY = 'Too many files are being imported right now. Try again in a few minutes.';
const STILL_RUNNING = 'Another import is still running. Try again when it is finished.';
const FILE_DELETED = 'Your upload was replaced by another one, or deleted after an hour. Choose the file again.';

interface RefusedFile {
  problem: string;
  status: 400 | 410 | 429 | 503;
}

/** Complete upload with its preview. */
interface PreviewedUpload {
  id: number;
  token: string;
  name: string;
  preview: ImportPreview;
}

/** The handler of this path reads the request body itself, and limits its size. */
export const UPLOAD_PATH = '/links/import';

/** Page that receives a file, shows a preview and starts the import. It also lists recent imports. */
export function addImportUploadPages(pages: Pages, services: Services): void {
  const { store, clock, random, log, holdStop, isStopping, targets, shortBaseUrls, foldsCase } = services;
  /**
   * Ids of the accounts whose files this process is receiving or importing. Each account can process only one file at a
   * time.
   */
  const running = new Set<number>();
  const ownHosts = shortBaseUrls.map((baseUrl) => new URL(baseUrl).hostname);

  /**
   * Returns the import rules for an account. Only the owner of the service can import reserved short codes, so that
   * published short URLs keep working.
   */
  const rulesFor = (accountId: number): ImportRules => ({
    targets,
    random,
    shortBaseUrls,
    foldsCase,
    mayUseReserved: accountId === FIRST_ACCOUNT,
  });

  async function showUpload(context: PageContext, refused: RefusedFile | null = null) {
    const { accountId } = context.var.session;
    const imports = await store.imports.list(accountId, MAX_IMPORTS);
    const body = uploadView({
      latest: imports.map((run) => ({ ...run, state: importState(run, clock()) })),
      problem: refused?.problem ?? null,
      quota: await readQuota(services, accountId, 'rows'),
      times: readerDateFormats(context),
    });
    return page(context, { title: 'Import', section: 'links', body, status: refused?.status ?? 200 });
  }

  function showPreview(context: PageContext, { token, name, preview }: PreviewedUpload, problem?: Html) {
    const body = previewView({
      token,
      name,
      preview,
      suggested: suggestedDomains(preview.domains, ownHosts),
      ownDomains: domainNames(shortBaseUrls).map(readableHost),
      foldsCase,
      problem: problem ?? null,
    });
    return page(context, { title: 'Import', section: 'links', body, status: problem ? 400 : 200 });
  }

  async function finish(accountId: number, uploadId: number, importId: number, end: Promise<void>): Promise<void> {
    try {
      try {
        await end;
      } finally {
        running.delete(accountId);
        // If the form was also sent to another process, that process has taken over the import and still reads the file.
        const run = await store.imports.get(accountId, importId);
        if (!run?.runner) await store.uploads.discard(uploadId);
      }
      while (!isStopping() && (await store.imports.forget(accountId, MAX_IMPORTS, DELETE_BATCH))) await tick();
    } catch (error) {
      log('error', 'an import failed', { error });
    }
  }

  /**
   * Starts the import of a confirmed file, or continues an unfinished import of the same file. Until this import ends,
   * the account cannot start another import.
   */
  async function start(context: PageContext, file: PreviewedUpload, form: Form): Promise<Response> {
    const { accountId } = context.var.session;
    const { source, total, domains } = file.preview;
    const selected = domains.flatMap(({ domain }, index) => (form.text(`domain-${index}`) === 'yes' ? [domain] : []));
    const chosen = selected.length > 0 ? selected : suggestedDomains(domains, ownHosts);
    const run = await store.imports.begin({
      accountId,
      name: file.name,
      total,
      fingerprint: choiceFingerprint(source.fingerprint, chosen, domains.length),
      runner: randomText(random, CODE_ALPHABET, 12),
      again: form.text('again') === 'yes',
      now: clock(),
    });
    if (run.finishedAt !== null) {
      running.delete(accountId);
      return showPreview(context, file, alreadyImportedMessage(run, readerDateFormats(context)));
    }
    await store.uploads.confirm(file.id, run.id);
    const rowQuota = dailyQuota(services, accountId, 'rows');
    const end = runImport({ ...services, rowQuota }, run, {
      source,
      domains: new Set(chosen),
      rules: rulesFor(accountId),
    });
    holdStop(finish(accountId, file.id, run.id, end));
    return context.redirect(`/links/import/${run.id}`, 303);
  }

  /** Receives a file, stores it until the user confirms the import, and shows a preview. */
  async function receive(context: PageContext): Promise<Response> {
    const { accountId } = context.var.session;
    try {
      const upload = await receiveUpload(context, services);
      if (!upload || upload.file.size === 0) {
        return await showUpload(context, { problem: 'Choose a file.', status: 400 });
      }
      const { id, token, file } = upload;
      const name = importName(upload.name);
      const preview = await previewImport(file, rulesFor(accountId), clock()).catch(async (error) => {
        await store.uploads.discard(id);
        throw error;
      });
      const isKept = await store.uploads.complete(id, { name, size: file.size, preview: writePreview(preview) });
      if (!isKept) return await showUpload(context, { problem: FILE_DELETED, status: 410 });
      return await showPreview(context, { id, token, name, preview });
    } finally {
      running.delete(accountId);
    }
  }

  /**
   * Handles a request, unless the import quota is used up or the account is already uploading or importing a file.
   * Shows an error message if the file is refused.
   */
  async function ifFree(context: PageContext, handle: () => Promise<Response>): Promise<Response> {
    const { accountId } = context.var.session;
    const quota = await readQuota(services, accountId, 'rows');
    if (quota?.left === 0) {
      const problem = quotaUsedUpMessage(quota, 'imported rows', 'Choose the file again', readerDateFormats(context));
      return showUpload(context, { problem, status: 429 });
    }
    if (running.has(accountId)) return showUpload(context, { problem: STILL_RUNNING, status: 400 });
    running.add(accountId);
    try {
      return await handle();
    } catch (error) {
      running.delete(accountId);
      if (error instanceof TooManyUploads) {
        context.header('Retry-After', '60');
        return showUpload(context, { problem: BUSY, status: 503 });
      }
      if (error instanceof FileProblem) return showUpload(context, { problem: error.message, status: 400 });
      throw error;
    }
  }

  pages.get(UPLOAD_PATH, (context) => showUpload(context));
  pages.post(UPLOAD_PATH, (context) => ifFree(context, () => receive(context)));
  pages.post('/links/import/start', (context) =>
    ifFree(context, async () => {
      const { accountId } = context.var.session;
      const form = await readForm(context);
      const token = form.text('token');
      const upload = await store.uploads.find(accountId, token, clock() - UPLOAD_LIFETIME_MS);
      if (upload && upload.importId === null) {
        const file = uploadedFile(store.uploads, upload.id, upload.size);
        const preview = readPreview(upload.preview, file);
        return start(context, { ...upload, token, preview }, form);
      }
      running.delete(accountId);
      // The form was sent again, for example because the response was lost.
      if (upload) return context.redirect(`/links/import/${upload.importId}`, 303);
      return showUpload(context, { problem: FILE_DELETED, status: 410 });
    }),
  );
}

function importName(name: string): string {
  return normalizeTitle(name.slice(0, 100)) ?? 'links.csv';
}

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

function uploadView({ latest, problem, quota, times }: UploadView): Html {
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
