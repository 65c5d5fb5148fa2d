import { setImmediate as tick } from 'node:timers/promises';
import { readableHost } from '@terse/contract';
import { randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import { domainNames } from '../../domain/links/short-domains.ts';
import { normalizeTitle } from '../../domain/links/titles-and-tags.ts';
import { choiceFingerprint, previewImport, suggestedDomains } from '../../import/preview-import.ts';
import { FileProblem } from '../../import/readers/import-file.ts';
import { importState, runImport } from '../../import/run-import.ts';
import type { ImportRules } from '../../import/validate-imported-link.ts';
import { FIRST_ACCOUNT } from '../../store/interface/store.ts';
import { readerDateFormats } from '../components/dates-and-numbers.ts';
import { errorPage } from '../components/error-page.ts';
import { readForm } from '../components/forms.ts';
import type { Html } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Page, PageContext, Services } from '../page-definition.ts';
import { dailyQuota, quotaUsedUpMessage, readQuota } from '../remaining-quota.ts';
import { createPendingUploads, type PendingUpload } from './pending-uploads.ts';
import { alreadyImportedMessage, previewView } from './preview-view.ts';
import { createUploads, TooLarge, TooManyUploads } from './receive-upload.ts';
import { uploadView } from './upload-view.ts';

/** Maximum number of imports that the server stores per account. */
const MAX_IMPORTS = 20;
const DELETE_BATCH = 1000;

const BUSY = 'Too many files are being imported right now. Try again in a few minutes.';
const STILL_RUNNING = 'Another import is still running. Try again when it is finished.';
const FILE_DELETED =
  'Your upload was deleted after 15 minutes. Choose the file again to import it with the same options.';

interface RefusedFile {
  problem: string;
  status: 400 | 410 | 429 | 503;
  /** Options that the user already chose. The page submits them again with the next file. */
  options?: Record<string, string>;
}

/** Page that receives a file, shows a preview and starts the import. It also lists recent imports. */
export function importUploadPages(services: Services): Page[] {
  const { store, clock, random, log, holdStop, isStopping, targets, shortBaseUrls, foldsCase } = services;
  const pending = createPendingUploads(services);
  const uploads = createUploads(services, undefined, pending.dropOldest);
  /** Ids of the accounts that are uploading or importing a file. Each account can process only one file at a time. */
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
      options: refused?.options ?? {},
      quota: await readQuota(services, accountId, 'rows'),
      times: readerDateFormats(context),
    });
    return page(context, { title: 'Import', section: 'links', body, status: refused?.status ?? 200 });
  }

  /** Stores a file until the user confirms the import, and shows a preview. */
  async function showPreview(context: PageContext, file: PendingUpload, problem?: Html) {
    const token = await pending.add(context.var.session.accountId, file);
    const { upload, preview } = file;
    const suggested = suggestedDomains(preview.domains, ownHosts);
    const name = importName(upload.name);
    const body = previewView({
      token,
      name,
      preview,
      suggested,
      ownDomains: domainNames(shortBaseUrls).map(readableHost),
      foldsCase,
      problem: problem ?? null,
    });
    return page(context, { title: 'Import', section: 'links', body, status: problem ? 400 : 200 });
  }

  /**
   * Starts an import, or continues an unfinished import of the same file. If the file was already imported, returns
   * the earlier import unless `again` is set.
   */
  function begin(accountId: number, { upload, preview }: PendingUpload, chosen: (string | null)[], again: boolean) {
    const { total, domains, source } = preview;
    const fingerprint = choiceFingerprint(source.fingerprint, chosen, domains.length);
    const runner = randomText(random, CODE_ALPHABET, 12);
    return store.imports.begin({
      accountId,
      name: importName(upload.name),
      total,
      fingerprint,
      runner,
      again,
      now: clock(),
    });
  }

  async function finish(accountId: number, end: Promise<void>): Promise<void> {
    try {
      await end.finally(() => running.delete(accountId));
      while (!isStopping() && (await store.imports.forget(accountId, MAX_IMPORTS, DELETE_BATCH))) await tick();
    } catch (error) {
      log('error', 'an import failed', { error });
    }
  }

  /** Starts the import of a confirmed file. Until this import ends, the account cannot start another import. */
  async function start(context: PageContext, file: PendingUpload, field: (name: string) => string): Promise<Response> {
    const { accountId } = context.var.session;
    const { domains, source } = file.preview;
    const selected = domains.flatMap(({ domain }, index) => (field(`domain-${index}`) === 'yes' ? [domain] : []));
    const chosen = selected.length > 0 || domains.length === 0 ? selected : suggestedDomains(domains, ownHosts);
    const run = await begin(accountId, file, chosen, field('again') === 'yes').catch(async (error) => {
      await file.upload.close();
      throw error;
    });
    if (run.finishedAt !== null) {
      running.delete(accountId);
      return showPreview(context, file, alreadyImportedMessage(run, readerDateFormats(context)));
    }
    const request = { source, domains: new Set(chosen), rules: rulesFor(accountId) };
    const rowQuota = dailyQuota(services, accountId, 'rows');
    holdStop(finish(accountId, runImport({ ...services, rowQuota }, run, request).finally(file.upload.close)));
    return context.redirect(`/links/import/${run.id}`, 303);
  }

  /**
   * Receives a file and shows a preview. If the user already confirmed this file, but the upload expired, starts the
   * import without another preview.
   */
  async function receive(context: PageContext): Promise<Response> {
    const { accountId } = context.var.session;
    const upload = await uploads.receive(context);
    let file: PendingUpload | null = null;
    try {
      if (!upload || upload.size === 0) return await showUpload(context, { problem: 'Choose a file.', status: 400 });
      file = { upload, preview: await previewImport(upload, rulesFor(accountId), clock()) };
    } finally {
      if (!file) await upload?.close();
      if (!file) running.delete(accountId);
    }
    const { fingerprint } = file.preview.source;
    const { fields } = upload as typeof file.upload;
    if (fields.get('confirmed') === fingerprint.toString('hex')) {
      return start(context, file, (name) => fields.get(name) ?? '');
    }
    running.delete(accountId);
    return showPreview(context, file);
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
      if (error instanceof TooLarge) return errorPage(context, 413);
      if (error instanceof TooManyUploads) {
        context.header('Retry-After', '60');
        return showUpload(context, { problem: BUSY, status: 503 });
      }
      if (error instanceof FileProblem) return showUpload(context, { problem: error.message, status: 400 });
      throw error;
    }
  }

  return [
    { method: 'GET', path: '/links/import', access: 'user', handle: (context) => showUpload(context) },
    {
      method: 'POST',
      path: '/links/import',
      access: 'user',
      readsBody: true,
      handle: (context) => ifFree(context, () => receive(context)),
    },
    {
      method: 'POST',
      path: '/links/import/start',
      access: 'user',
      handle: (context) =>
        ifFree(context, async () => {
          const { accountId } = context.var.session;
          const form = await readForm(context);
          const file = pending.take(accountId, form.text('token'));
          if (file) return start(context, file, form.text);
          running.delete(accountId);
          return showUpload(context, { problem: FILE_DELETED, status: 410, options: submittedOptions(form.text) });
        }),
    },
  ];
}

function submittedOptions(field: (name: string) => string): Record<string, string> {
  const names = ['confirmed', 'again', ...Array.from({ length: 100 }, (_, index) => `domain-${index}`)];
  return Object.fromEntries(names.map((name) => [name, field(name)]).filter(([, value]) => value));
}

function importName(name: string): string {
  return normalizeTitle(name.slice(0, 100)) ?? 'links.csv';
}
