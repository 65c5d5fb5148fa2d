import { readableHost, TITLE_LIMIT } from '@terse/contract';
import { findUrls, findUrlsInField } from '@terse/contract/urls-in-text';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import {
  type LinkInput,
  type LinkProblems,
  splitTags,
  type TargetRules,
  validateTarget,
} from '../../domain/links/link-rules.ts';
import { domainNames } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { validateLinkForm, withScheme } from '../../domain/links/validate-link-form.ts';
import { type DateFormats, dateFormatsFor, readerDateFormats } from '../components/dates-and-numbers.ts';
import {
  collectProblems,
  type Form,
  field,
  formKeyField,
  type Problems,
  readForm,
  selectField,
  submissionHash,
} from '../components/forms.ts';
import { type Html, html, icon, panel } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { dailyQuota, quotaUsedUpMessage, remainingQuota } from '../remaining-quota.ts';

const NAMES = ['url', 'title', 'code', 'domain', 'expiresAt', 'tags', 'forwardQuery'] as const;

/**
 * Fields of the form for a new link or for a change, as the user sees them. An empty short code means a random one, an
 * empty domain the default domain, and an empty `forwardQuery` the default of the server.
 */
type LinkFields = Record<(typeof NAMES)[number], string>;

/** Form with the fields that the user entered, and the reasons why it was refused. */
export interface LinkForm {
  fields: LinkFields;
  problems: Problems;
}

export function readLinkFields(form: Pick<Form, 'text'>): LinkFields {
  return Object.fromEntries(NAMES.map((name) => [name, form.text(name)])) as LinkFields;
}

const EMPTY_FIELDS = readLinkFields({ text: () => '' });

/** Returns the fields of the form that edits a link. */
export function fieldsOf({ url, title, expiresAt, tags, forwardQuery }: StoredLink, times: DateFormats): LinkFields {
  return {
    ...EMPTY_FIELDS,
    url,
    title: title ?? '',
    expiresAt: times.fieldValue(expiresAt),
    tags: tags.join(', '),
    forwardQuery: forwardQuery === null ? '' : String(forwardQuery),
  };
}

export function parseLinkFields(fields: LinkFields, times: DateFormats): LinkInput & { code: string } {
  const { forwardQuery } = fields;
  return {
    ...fields,
    url: withScheme(fields.url),
    expiresAt: times.read(fields.expiresAt),
    tags: splitTags(fields.tags),
    forwardQuery: forwardQuery === '' ? null : forwardQuery === 'true',
  };
}

/** Returns the form to show again if fields are invalid. */
export function refusedForm(fields: LinkFields, problems: LinkProblems): LinkForm {
  // The order of the fields in the form. The first invalid field gets the focus.
  const { url, title, domain, code, ...others } = problems;
  return { fields, problems: collectProblems({ url, title, domain, code, ...others }) };
}

/** Draws the fields for the address and the title. */
export function addressFields({ fields, problems }: LinkForm, autofocus = false): Html {
  const address = { name: 'url', label: 'Address', type: 'url', placeholder: 'https://', required: true } as const;
  return html`${field({ ...address, value: fields.url, autocomplete: 'off', autofocus }, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you can see it', autocomplete: 'off' }, problems)}`;
}

/**
 * Draws the fields for the expiry, the tags and query forwarding. The form also submits the time zone in which the
 * expiry is shown.
 */
export function optionFields(
  { fields, problems }: LinkForm,
  { zone }: DateFormats,
  { forwardQuery: isForwarded }: Pick<Services, 'forwardQuery'>,
): Html {
  const { expiresAt, tags, forwardQuery } = fields;
  const expiryHelp = `Never if left empty. Time in ${zone === 'UTC' ? 'UTC' : `your time zone, ${zone}`}.`;
  const queryHelp = 'Adds the query of the short URL (?key=value) to the address';
  const choices = { '': `Default of this server (${isForwarded ? 'yes' : 'no'})`, true: 'Yes', false: 'No' };
  return html`<input type="hidden" name="zone" value="${zone}">
  ${field({ name: 'expiresAt', label: 'Expires', type: 'datetime-local', value: expiresAt, help: expiryHelp }, problems)}
  ${field({ name: 'tags', label: 'Tags', value: tags, help: 'Separated by commas', autocomplete: 'off' }, problems)}
  ${selectField({ name: 'forwardQuery', label: 'Forward query parameters', value: forwardQuery, help: queryHelp }, choices)}`;
}

/** Draws the tags of a link. Each tag opens the list of links with this tag. */
export function tagList(tags: readonly string[]): Html | '' {
  if (tags.length === 0) return '';
  return html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li><a class="chip" href="/links?${new URLSearchParams({ tag })}"><bdi>${tag}</bdi></a></li>`)}</ul>`;
}

const EMPTY_FORM: LinkForm = { fields: EMPTY_FIELDS, problems: null };

/** Settings of the server that the form for a new link shows, and the source of its key. */
type FormServices = Pick<Services, 'shortBaseUrls' | 'forwardQuery' | 'random'>;

/** Adds the page and the form that create a link. Phones open the page when the user shares a URL with the app. */
export function addNewLinkPages(pages: Pages, services: Services): void {
  const { store, clock, targets } = services;

  function showForm(context: PageContext, form: LinkForm, times: DateFormats, status: 400 | 429 = 400) {
    const body = html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links" data-creates>
  <h1>New link</h1>
  ${newLinkFields(form, services, times, context.req.method === 'GET' && form.fields.url !== '')}
  ${UNREACHABLE}
  <div class="actions"><button class="button is-primary" type="submit">Create link</button><a class="button" href="/links">Cancel</a></div>
</form>`;
    return page(context, { title: 'New link', section: 'links', body, status: form.problems ? status : 200 });
  }

  pages.get('/links/new', (context) => showForm(context, readShared(context, targets), readerDateFormats(context)));

  pages.post('/links', async (context) => {
    const { accountId } = context.var.session;
    const form = await readForm(context);
    const times = dateFormatsFor(form.text('zone'));
    const fields = readLinkFields(form);
    const validated = validateLinkForm(parseLinkFields(fields, times), services, clock());
    if ('problems' in validated) return showForm(context, refusedForm(fields, validated.problems), times);
    const quota = dailyQuota(services, accountId, 'links');
    const request = { submission: await submissionHash(context), quota, now: clock() };
    const { code, spent } = await store.links.createFromForm(accountId, validated.link, request);
    if (quota !== null && spent?.granted === 0) {
      context.header('Retry-After', String(spent.resetSeconds));
      const problem = quotaUsedUpMessage(remainingQuota(quota, spent, clock()), 'links', 'Try again', times);
      return showForm(context, { fields, problems: { url: problem } }, times, 429);
    }
    if (code === null) {
      const problems = { code: 'This short code is taken. Choose another one.' };
      return showForm(context, { fields, problems }, times);
    }
    return context.redirect(`/links?made=${encodeURIComponent(code)}`, 303);
  });
}

/**
 * Draws the button that opens the panel for a new link. Without JavaScript, the button opens a page with the same
 * form.
 */
export function newLinkButton(): Html {
  return html`<a class="button is-primary" href="/links/new" data-opens="new-link">${icon('plus')}New link</a>`;
}

/** Draws the panel that creates a link. A script shows errors in the panel and copies the new short URL. */
export function newLinkPanel(services: FormServices, times: DateFormats): Html {
  const content = html`<form class="panel-form" method="post" novalidate action="/links" data-creates>
  ${newLinkFields(EMPTY_FORM, services, times)}
  <div class="panel-foot">${UNREACHABLE}<button class="button is-primary is-wide" type="submit">Create and copy</button><button type="button" class="button" data-close>Cancel</button></div>
</form>`;
  return panel({ id: 'new-link', title: 'New link', content, needsScript: true });
}

const UNREACHABLE = html`<p class="problem" role="alert" data-unreachable hidden>The server can’t be reached. Try again.</p>`;

/**
 * Draws the fields of the form.
 *
 * @param isShared true if another app or site has filled in the form. Most fields are then collapsed, so that the form
 * fits on a phone screen. No field has the focus, because an accidental key press could submit the form.
 */
function newLinkFields(form: LinkForm, services: FormServices, times: DateFormats, isShared = false): Html {
  const { fields, problems } = form;
  const domains = domainNames(services.shortBaseUrls).map((domain) => [domain, readableHost(domain)] as const);
  // The placeholder shows the only domain. If there are several domains, the user selects one in another field.
  const placeholder = domains.length === 1 ? { placeholder: `${domains[0]?.[1]}/` } : {};
  const code = { name: 'code', label: 'Short code', help: 'Random if left empty', autocomplete: 'off', maxlength: 64 };
  // Also shows the domain field if it has an error message. For example, the chosen domain may have been removed.
  const hasDomainField = domains.length > 1 || problems?.domain !== undefined;
  const domain = { name: 'domain', label: 'Domain', value: fields.domain };
  const options = html`${hasDomainField ? selectField(domain, Object.fromEntries(domains), problems) : ''}
  ${field({ ...code, ...placeholder, value: fields.code }, problems)}
  ${optionFields(form, times, services)}`;
  return html`${formKeyField(services.random)}<div class="panel-body" data-fields>
  ${addressFields(form, !isShared)}
  ${isShared ? html`<details><summary>More options</summary><div class="fields">${options}</div></details>` : options}
</div>`;
}

/**
 * Fills in the form with the data that the user shared from another app. Because other sites could open the form in
 * the same way, a link is created only after the user presses the button.
 */
function readShared(context: PageContext, targets: TargetRules): LinkForm {
  const { title = '', text = '', url = '' } = context.req.query();
  const isUsable = (candidate: string) => !('refused' in validateTarget(candidate, targets));
  const inTitle = SCHEME.test(title) ? findUrls(title).urls : [];
  const candidates = [...findUrlsInField(url).urls, ...findUrls(text).urls, ...inTitle];
  const found = isUsable(url) ? url : (candidates.find(isUsable) ?? candidates[0]);
  const isTitle = title.trim() !== found;
  const fields = { ...EMPTY_FIELDS, url: found ?? url, title: isTitle ? title.slice(0, TITLE_LIMIT) : '' };
  const isEmpty = `${title}${text}${url}`.trim() === '';
  if (isEmpty || found) return { fields, problems: null };
  return { fields, problems: { url: 'What you shared contains no URL. Enter the address.' } };
}

/** Matches the start of a URL that needs no guess about its scheme. */
const SCHEME = /https?:\/\/|\bwww\./i;
