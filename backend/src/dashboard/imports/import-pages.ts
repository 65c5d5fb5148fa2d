import { setImmediate as tick } from 'node:timers/promises';
import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import { randomText } from '../../domain/clock-and-random.ts';
import { normalizeTitle } from '../../domain/links/link-rules.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import { ApiError } from '../../http/api-error.ts';
import { openImportFile } from '../../import/open-file.ts';
import { previewImport } from '../../import/preview-import.ts';
import { FileProblem } from '../../import/read-records.ts';
import type { ImportRules } from '../../import/record-to-link.ts';
import { importState, runImport } from '../../import/run-import.ts';
import { UPLOAD_LIFETIME_MS } from '../../maintenance/maintenance.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import type { Import, Upload } from '../../store/sql/import-queries.ts';
import { readerDateFormats } from '../components/dates-and-numbers.ts';
import { readForm } from '../components/forms.ts';
import type { Html } from '../components/html-elements.ts';
import { type PageView, page } from '../components/layout.ts';
import { streamText } from '../links/selected-links.ts';
import { dailyQuota, quotaUsedUpMessage, readQuota } from '../remaining-quota.ts';
import { MAX_ERRORS_SHOWN, previewView, progressView, uploadView } from './import-views.ts';

/** Maximum size of an upload, including the other fields of the form. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Maximum size of what precedes the file in a form. */
const MAX_HEAD_BYTES = 8 * 1024;

/** Maximum size of the stored uploads of all accounts together. */
const MAX_STORED_BYTES = 4 * MAX_UPLOAD_BYTES;

/** Maximum size of the files that this process receives or imports at the same time, because they are held in memory. */
const MAX_HELD_BYTES = 4 * MAX_UPLOAD_BYTES;

/** Maximum number of imports that the server stores per account. */
const MAX_IMPORTS = 20;
const DELETE_BATCH = 1000;
const ERROR_BATCH = 1000;

const BUSY = 'Too many files are being imported right now. Try again in a few minutes.';
const STILL_RUNNING = 'Another import is still running. Try again when it is finished.';
const FILE_DELETED = 'Your upload was replaced by another one, or deleted after an hour. Choose the file again.';

/** The handler of this path reads the request body itself, and limits its size. */
export const UPLOAD_PATH = '/links/import';

/** Pages that receive a file, show a preview, start the import, and show its progress. */
export function addImportPages(pages: Pages, services: Services): void {
  const { store, clock, random, log, holdStop, stopping, shortBaseUrls } = services;
  /**
   * Accounts whose files this process is receiving or importing, with the bytes that have arrived. Each account can
   * process only one file at a time. A slow upload counts only with the bytes that it has sent.
   */
  const held = new Map<number, number>();

  /** @throws TooManyFiles if the process would hold too many bytes */
  function hold(accountId: number, bytes: number): void {
    held.set(accountId, (held.get(accountId) ?? 0) + bytes);
    const total = held.values().reduce((sum, size) => sum + size, 0);
    if (total > MAX_HELD_BYTES) throw new TooManyFiles();
  }

  /**
   * Returns the import rules for an account. Only the owner of the service can import reserved short codes, so that
   * published short URLs keep working.
   */
  const rulesFor = (accountId: number): ImportRules => ({ ...services, mayUseReserved: accountId === FIRST_ACCOUNT });

  const show = (context: PageContext, body: Html, more: Pick<PageView, 'status' | 'refresh'> = {}) =>
    page(context, { title: 'Import', section: 'links', body, ...more });

  async function showUpload(context: PageContext, problem: string | null = null, status: PageView['status'] = 200) {
    const { accountId } = context.var.session;
    const imports = await store.imports.list(accountId, MAX_IMPORTS);
    const body = uploadView({
      latest: imports.map((run) => ({ ...run, state: importState(run, clock()) })),
      problem,
      quota: await readQuota(services, accountId, 'rows'),
      times: readerDateFormats(context),
    });
    return show(context, body, { status });
  }

  function showBusy(context: PageContext): Promise<Response> {
    context.header('Retry-After', '60');
    return showUpload(context, BUSY, 503);
  }

  /**
   * Handles a request, unless the import quota is used up or the account is already uploading or importing a file.
   * Shows an error message if the file is refused.
   *
   * @param handle can pass on work that continues after the response
   */
  async function ifFree(
    context: PageContext,
    handle: (continueWith: (work: Promise<void>) => void) => Promise<Response>,
  ): Promise<Response> {
    const { accountId } = context.var.session;
    const quota = await readQuota(services, accountId, 'rows');
    if (quota?.left === 0) {
      const times = readerDateFormats(context);
      return showUpload(context, quotaUsedUpMessage(quota, 'imported rows', 'Choose the file again', times), 429);
    }
    if (held.has(accountId)) return showUpload(context, STILL_RUNNING, 400);
    held.set(accountId, 0);
    let work = Promise.resolve();
    try {
      return await handle((given) => {
        work = given;
      });
    } catch (error) {
      if (error instanceof FileProblem) return showUpload(context, error.message, 400);
      if (error instanceof TooManyFiles) return showBusy(context);
      throw error;
    } finally {
      holdStop(work.finally(() => held.delete(accountId)));
    }
  }

  /** Receives a file, stores it until the user confirms the import, and shows a preview. */
  async function receive(context: PageContext): Promise<Response> {
    const { accountId } = context.var.session;
    const upload = await readUpload(context, (bytes) => hold(accountId, bytes));
    if (!upload) return showUpload(context, 'Choose a file.', 400);
    const { name, content } = upload;
    const file = await openImportFile(content);
    const preview = await previewImport(file, rulesFor(accountId), clock());
    const token = randomText(random, CODE_ALPHABET, 20);
    const stored = { accountId, token, name, total: preview.total, content, now: clock() };
    if (!(await store.uploads.add(stored, MAX_STORED_BYTES))) return showBusy(context);
    const earlier = await store.imports.last(accountId, file.fingerprint);
    const times = readerDateFormats(context);
    return show(context, previewView({ token, name, file, preview, earlier, shortBaseUrls, times }));
  }

  /** Starts the import of a confirmed file, or continues an unfinished import of the same file. */
  async function start(accountId: number, upload: Upload, content: Uint8Array) {
    const file = await openImportFile(content);
    const runner = randomText(random, CODE_ALPHABET, 12);
    const run = await store.imports.begin({
      accountId,
      uploadId: upload.id,
      name: upload.name,
      total: upload.total,
      fingerprint: file.fingerprint,
      runner,
      now: clock(),
    });
    if (!run) throw new ApiError('forbidden');
    // The form was also sent to another process, which imports the file.
    if (run.runner !== runner) return { id: run.id, end: Promise.resolve() };
    const rowQuota = dailyQuota(services, accountId, 'rows');
    const importServices = { store, clock, stopping, rowQuota };
    return { id: run.id, end: runImport(importServices, run, { file, rules: rulesFor(accountId) }) };
  }

  async function finish(accountId: number, end: Promise<void>): Promise<void> {
    try {
      await end;
      while (!stopping.aborted && (await store.imports.forget(accountId, MAX_IMPORTS, DELETE_BATCH))) await tick();
    } catch (error) {
      log('error', 'an import failed', { error });
    }
  }

  pages.get(UPLOAD_PATH, (context) => showUpload(context));
  pages.post(UPLOAD_PATH, (context) => ifFree(context, () => receive(context)));
  /** Forms that are starting their import. A form that is sent twice at once waits until the first one has started. */
  const starting = new Map<string, Promise<unknown>>();

  pages.post('/links/import/start', async (context) => {
    const token = (await readForm(context)).text('token');
    const response = Promise.resolve(starting.get(token)).then(() => confirm(context, token));
    const started = response.catch(() => {});
    starting.set(token, started);
    await started;
    if (starting.get(token) === started) starting.delete(token);
    return response;
  });

  async function confirm(context: PageContext, token: string): Promise<Response> {
    const { accountId } = context.var.session;
    const upload = await store.uploads.find(accountId, token, clock() - UPLOAD_LIFETIME_MS);
    // The form was sent again, for example because the response was lost.
    if (upload?.importId) return context.redirect(`/links/import/${upload.importId}`, 303);
    return ifFree(context, async (continueWith) => {
      if (!upload?.content) return showUpload(context, FILE_DELETED, 410);
      hold(accountId, upload.content.byteLength);
      const { id, end } = await start(accountId, upload, upload.content);
      holdStop(finish(accountId, end));
      continueWith(end.catch(() => {}));
      return context.redirect(`/links/import/${id}`, 303);
    });
  }

  pages.get('/links/import/:id', async (context) => {
    const run = await ownImport(context);
    const state = importState(run, clock());
    const errors = state === 'running' ? [] : await store.imports.errors(run.id, 0, MAX_ERRORS_SHOWN);
    return show(context, progressView(run, state, errors), state === 'running' ? { refresh: 1 } : {});
  });
  pages.get('/links/import/:id/errors.csv', async (context) => {
    const run = await ownImport(context);
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="import-errors.csv"',
    };
    return context.body(streamText(errorFile(run.id)), 200, headers);
  });

  async function ownImport(context: PageContext): Promise<Import> {
    const id = Number(context.req.param('id'));
    const run = Number.isSafeInteger(id) ? await store.imports.get(context.var.session.accountId, id) : null;
    if (!run) throw new ApiError('not_found');
    return run;
  }

  async function* errorFile(importId: number): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(['line', 'link', 'problem']);
    let line = 0;
    for (;;) {
      const batch = await store.imports.errors(importId, line, ERROR_BATCH);
      yield batch.map(({ line: at, subject, problem }) => csvLine([at, subject, problem])).join('');
      if (batch.length < ERROR_BATCH) return;
      line = batch.at(-1)?.line ?? line;
    }
  }
}

/** Thrown if this process holds too many bytes of files. */
class TooManyFiles extends Error {
  override name = 'TooManyFiles';
}

/**
 * Reads a form with a file. Returns null if the form has no file.
 *
 * @param onArrival called with the size of each part that arrives; can throw an error to refuse the form
 * @throws ApiError if the form is too large or incomplete, or its size is not known before it arrives
 */
async function readUpload(
  { req }: PageContext,
  onArrival: (bytes: number) => void,
): Promise<{ name: string; content: Uint8Array } | null> {
  const size = Number(req.header('Content-Length') ?? Number.POSITIVE_INFINITY);
  if (size > MAX_UPLOAD_BYTES) throw new ApiError('body_too_large');
  const parts: Uint8Array[] = [];
  try {
    for await (const part of req.raw.body ?? []) {
      onArrival(part.byteLength);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof TooManyFiles ? error : new ApiError('request_timeout');
  }
  const upload = fileInForm(Buffer.concat(parts), req.header('Content-Type') ?? '');
  return upload && { ...upload, name: normalizeTitle(upload.name.slice(0, 100)) ?? 'links.csv' };
}

/**
 * Returns the file in a form whose only field is `file` (RFC 7578), or null if there is none. General parsers would need
 * minutes for a form with a million fields.
 */
function fileInForm(body: Buffer, type: string): { name: string; content: Uint8Array } | null {
  const boundary = `--${/^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(type)?.[1]}`;
  const start = body.indexOf('\r\n\r\n') + 4;
  const end = body.indexOf(`\r\n${boundary}`, start);
  const head = body.toString('utf8', 0, Math.min(start, MAX_HEAD_BYTES));
  const name = /\bfilename="([^"]*)"/.exec(head)?.[1] ?? '';
  if (end < start || !head.startsWith(boundary) || !/[; ]name="file"/.test(head)) return null;
  // If the user chose no file, browsers send an empty file without a name.
  return end === start && name === '' ? null : { name, content: body.subarray(start, end) };
}
