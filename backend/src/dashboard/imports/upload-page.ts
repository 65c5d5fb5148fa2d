import { setImmediate as tick } from 'node:timers/promises';
import { randomText } from '../../domain/clock-and-random.ts';
import { normalizeTitle } from '../../domain/links/link-rules.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import { choiceFingerprint, previewImport, suggestedDomain } from '../../import/preview-import.ts';
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
import { quotaUsedUpMessage, spendQuota } from '../remaining-quota.ts';
import { createPendingUploads, type PendingUpload } from './pending-uploads.ts';
import { alreadyImportedMessage, previewView } from './preview-view.ts';
import { createUploads, TooLarge, TooManyUploads } from './receive-upload.ts';
import { uploadView } from './upload-view.ts';

/** How many imports of an account are kept, with the problems of their rows. */
const MAX_IMPORTS = 20;
const DELETE_BATCH = 1000;

const BUSY = 'Too many files are being imported right now. Please try again in a few minutes.';
const STILL_RUNNING = 'Another of your imports is still running. Please wait until it has finished.';
const FILE_DELETED =
  'Your file is no longer here: it waits for fifteen minutes. Choose it once more, and it is imported as you chose.';

/** Why a file is not imported. */
interface RefusedFile {
  problem: string;
  status: 400 | 410 | 429 | 503;
  /** What the person had chosen, to be sent along with the file. */
  choice?: Record<string, string>;
}

/** Imports links from a file: shows first what is in it. Lists the latest imports. */
export function importUploadPages(services: Services): Page[] {
  const { store, clock, random, log, holdStop, isStopping, targets, shortBaseUrl } = services;
  const waiting = createPendingUploads(services);
  const uploads = createUploads(services, undefined, waiting.dropOldest);
  /** Accounts whose file this process receives or imports: one file each. */
  const running = new Set<number>();
  const ownHost = new URL(shortBaseUrl).hostname;

  /** Whoever runs the service knows what is on its hosts: a printed link outweighs a word kept for one day. */
  const rulesFor = (accountId: number): ImportRules => ({
    targets,
    random,
    mayUseReserved: accountId === FIRST_ACCOUNT,
  });

  async function showUpload(context: PageContext, refused: RefusedFile | null = null) {
    const { accountId } = context.var.session;
    const imports = await store.imports.list(accountId, MAX_IMPORTS);
    const body = uploadView({
      latest: imports.map((one) => ({ ...one, state: importState(one, clock()) })),
      problem: refused?.problem ?? null,
      choice: refused?.choice ?? {},
      budget: await spendQuota(services, accountId, 'rows', 0),
      times: readerDateFormats(context),
    });
    return page(context, { title: 'Import', section: 'links', body, status: refused?.status ?? 200 });
  }

  /** Keeps a file until it is to be imported, and shows what is in it. */
  async function showPreview(context: PageContext, file: PendingUpload, problem?: Html) {
    const token = await waiting.keep(context.var.session.accountId, file);
    const { upload, survey } = file;
    const first = suggestedDomain(survey.domains, ownHost);
    const name = importName(upload.name);
    const body = previewView({ token, name, survey, first, problem: problem ?? null });
    return page(context, { title: 'Import', section: 'links', body, status: problem ? 400 : 200 });
  }

  /** Begins an import, or continues an unfinished one of the same file; returns a finished one, unless asked again. */
  function begin(accountId: number, { upload, survey }: PendingUpload, chosen: (string | null)[], again: boolean) {
    const { total, domains, source } = survey;
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

  /** Imports a file that nobody else has any more. The account's mark as running goes with the end of the import. */
  async function start(context: PageContext, file: PendingUpload, field: (name: string) => string): Promise<Response> {
    const { accountId } = context.var.session;
    const { domains, source } = file.survey;
    const asked = domains.flatMap(({ domain }, index) => (field(`domain-${index}`) === 'yes' ? [domain] : []));
    const chosen = asked.length > 0 || domains.length === 0 ? asked : [suggestedDomain(domains, ownHost)];
    const begun = await begin(accountId, file, chosen, field('again') === 'yes').catch(async (error) => {
      await file.upload.close();
      throw error;
    });
    if (begun.finishedAt !== null) {
      running.delete(accountId);
      return showPreview(context, file, alreadyImportedMessage(begun, readerDateFormats(context)));
    }
    const order = { source, domains: new Set(chosen), rules: rulesFor(accountId) };
    holdStop(finish(accountId, runImport(services, begun, order).finally(file.upload.close)));
    return context.redirect(`/links/import/${begun.id}`, 303);
  }

  /** Receives a file, and shows what is in it; imports it at once where that was asked for before it got lost. */
  async function receive(context: PageContext): Promise<Response> {
    const { accountId } = context.var.session;
    const upload = await uploads.receive(context);
    let file: PendingUpload | null = null;
    try {
      if (!upload || upload.size === 0)
        return await showUpload(context, { problem: 'Please choose a file.', status: 400 });
      file = { upload, survey: await previewImport(upload, rulesFor(accountId), clock()) };
    } finally {
      if (!file) await upload?.close();
      if (!file) running.delete(accountId);
    }
    const { fingerprint } = file.survey.source;
    const { fields } = upload as typeof file.upload;
    if (fields.get('confirmed') === fingerprint.toString('hex')) {
      return start(context, file, (name) => fields.get(name) ?? '');
    }
    running.delete(accountId);
    return showPreview(context, file);
  }

  /** Answers a request of an account that has no import running, and marks it as running meanwhile. */
  async function ifFree(context: PageContext, handle: () => Promise<Response>): Promise<Response> {
    const { accountId } = context.var.session;
    const budget = await spendQuota(services, accountId, 'rows', 0);
    if (budget?.left === 0) {
      const problem = quotaUsedUpMessage(budget, 'rows', 'Please choose the file again', readerDateFormats(context));
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
    { method: 'GET', path: '/links/import', access: 'holder', handle: (context) => showUpload(context) },
    {
      method: 'POST',
      path: '/links/import',
      access: 'holder',
      readsBody: true,
      handle: (context) => ifFree(context, () => receive(context)),
    },
    {
      method: 'POST',
      path: '/links/import/start',
      access: 'holder',
      handle: (context) =>
        ifFree(context, async () => {
          const { accountId } = context.var.session;
          const form = await readForm(context);
          const file = waiting.take(accountId, form.text('token'));
          if (file) return start(context, file, form.text);
          running.delete(accountId);
          return showUpload(context, { problem: FILE_DELETED, status: 410, choice: submittedChoice(form.text) });
        }),
    },
  ];
}

/** What a form had chosen, as fields to be sent again. */
function submittedChoice(field: (name: string) => string): Record<string, string> {
  const names = ['confirmed', 'again', ...Array.from({ length: 100 }, (_, index) => `domain-${index}`)];
  return Object.fromEntries(names.map((name) => [name, field(name)]).filter(([, value]) => value));
}

function importName(name: string): string {
  return normalizeTitle(name.slice(0, 100)) ?? 'links.csv';
}
