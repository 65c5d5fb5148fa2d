import { TITLE_LIMIT } from '@terse/contract';
import { findUrls, findUrlsInField } from '@terse/contract/urls-in-text';
import { HTTPS_ADDED, urlProblem, validateLinkForm, withHttps } from '../../domain/links/validate-link-form.ts';
import { type TargetRules, validateTarget } from '../../domain/links/validate-target.ts';
import { type DateFormats, dateFormatsFor, readerDateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, type Problems, readForm, submissionHash } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import { dailyQuota, quotaUsedUpMessage, remainingQuota } from '../remaining-quota.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { EMPTY_FIELDS, type NewLinkFields, newLinkView } from './new-link-form.ts';
import { parseTagAndQueryFields, readTagAndQueryFields } from './tag-and-query-fields.ts';

export function addNewLinkPages(pages: Pages, services: Services): void {
  const { store, clock, targets, shortBaseUrls, forwardQuery, random } = services;

  function showForm(
    context: PageContext,
    fields: NewLinkFields,
    problems: Problems,
    times: DateFormats,
    { status = 400, isShared = false }: { status?: 400 | 429; isShared?: boolean } = {},
  ) {
    const body = newLinkView({
      fields,
      problems,
      shortBaseUrls,
      forwardQuery,
      times,
      isShared,
      random,
    });
    return page(context, { title: 'New link', section: 'links', body, status: problems ? status : 200 });
  }

  pages.get('/links/new', (context) => {
    const { fields, problems } = readShared(context, targets);
    return showForm(context, fields, problems, readerDateFormats(context), { isShared: fields.url !== '' });
  });
  pages.post('/links', async (context) => {
    const { accountId } = context.var.session;
    const form = await readForm(context);
    const fields = {
      url: form.text('url'),
      code: form.text('code'),
      domain: form.text('domain'),
      title: form.text('title'),
      expiresAt: form.text('expiresAt'),
      ...readTagAndQueryFields(form),
    };
    const times = dateFormatsFor(form.text('zone'));
    const expiresAt = times.read(fields.expiresAt);
    const validated = validateLinkForm({ ...fields, expiresAt, ...parseTagAndQueryFields(fields) }, services, clock());
    if ('problems' in validated) {
      const guess = validated.problems.url && withHttps(fields.url, targets);
      const { url, title, ...others } = validated.problems;
      const problems = collectProblems({ url: guess ? HTTPS_ADDED : url, title, ...others });
      return showForm(context, { ...fields, url: guess ?? fields.url }, problems, times);
    }
    const quota = dailyQuota(services, accountId, 'links');
    const submission = await submissionHash(context);
    const { code, spent } = await store.links.createFromForm(accountId, validated.link, {
      submission,
      quota,
      now: clock(),
    });
    if (quota !== null && spent?.granted === 0) {
      context.header('Retry-After', String(spent.resetSeconds));
      const problem = quotaUsedUpMessage(remainingQuota(quota, spent, clock()), 'links', 'Try again', times);
      return showForm(context, fields, { url: problem }, times, { status: 429 });
    }
    if (code === null)
      return showForm(context, fields, { code: 'This short code is taken. Choose another one.' }, times);
    return context.redirect(`/links?made=${encodeURIComponent(code)}`, 303);
  });
}

/**
 * Returns the path of the form for a new link, filled in like a request to open or to submit this form. Returns null for
 * all other requests. A shared text is left out, because it can be long.
 */
export async function pathOfFilledForm(context: PageContext, { targets }: Services): Promise<string | null> {
  const request = `${context.req.method} ${context.req.path}`;
  if (request === 'GET /links/new') return formPath(readShared(context, targets).fields);
  if (request !== 'POST /links') return null;
  const form = await readForm(context);
  return formPath({ url: form.text('url').trim(), title: form.text('title') });
}

function formPath({ url, title }: { url: string; title: string }): string {
  const shared = new URLSearchParams({ ...(url && { url }), ...(title && { title: title.slice(0, TITLE_LIMIT) }) });
  return shared.size > 0 ? `/links/new?${shared}` : '/links/new';
}

/**
 * Fills in the form with the data that the user shared from another app. Because other sites could open the form in
 * the same way, a link is created only after the user presses the button.
 */
function readShared(context: PageContext, targets: TargetRules): { fields: NewLinkFields; problems: Problems } {
  const { title = '', text = '', url = '' } = context.req.query();
  const isUsable = (candidate: string) => !('refused' in validateTarget(candidate, targets));
  const inTitle = SCHEME.test(title) ? findUrls(title).urls : [];
  const candidates = [...findUrlsInField(url).urls, ...findUrls(text).urls, ...inTitle];
  const found = isUsable(url) ? url : (candidates.find(isUsable) ?? candidates[0]);
  const isTitle = title.trim() !== found;
  const fields = { ...EMPTY_FIELDS, url: found ?? url, title: isTitle ? title.slice(0, TITLE_LIMIT) : '' };
  const isEmpty = `${title}${text}${url}`.trim() === '';
  if (isEmpty || (found && SCHEME.test(`${url} ${text} ${title}`))) return { fields, problems: null };
  if (found) return { fields, problems: { url: HTTPS_ADDED } };
  const shared = `${url} ${text}`.trim();
  const target = /\s/.test(shared) ? null : validateTarget(shared, targets);
  const isOtherScheme = target && 'refused' in target && target.refused === 'other_scheme';
  const problem = isOtherScheme
    ? urlProblem(target.refused, targets)
    : 'What you shared contains no URL. Enter the address.';
  return { fields, problems: { url: problem } };
}

/** Matches the start of a URL that needs no guess about its scheme. */
const SCHEME = /https?:\/\/|\bwww\./i;
