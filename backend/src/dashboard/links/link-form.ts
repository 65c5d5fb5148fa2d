import type { TargetRules } from '../../domain/links/link-rules.ts';
import { type LinkInput, splitTags } from '../../domain/links/link-rules.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { HTTPS_ADDED, type LinkProblems, withHttps } from '../../domain/links/validate-link-form.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, type Form, field, type Problems, selectField } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import type { Services } from '../services.ts';
import { listAddress, NO_FILTER } from './list-query.ts';

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

export const EMPTY_FIELDS = readLinkFields({ text: () => '' });

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
  const choices = new Map([
    ['true', true],
    ['false', false],
  ]);
  return {
    ...fields,
    expiresAt: times.read(fields.expiresAt),
    tags: splitTags(fields.tags),
    forwardQuery: choices.get(fields.forwardQuery) ?? null,
  };
}

/**
 * Returns the form to show again if fields are invalid. If `https://` is missing, the form has the corrected URL, so that
 * the user can check the result.
 */
export function refusedForm(fields: LinkFields, problems: LinkProblems, targets: TargetRules): LinkForm {
  const guess = problems.url && withHttps(fields.url, targets);
  // The order of the fields in the form. The first invalid field gets the focus.
  const { url, title, ...others } = problems;
  return {
    fields: { ...fields, url: guess ?? fields.url },
    problems: collectProblems({ url: guess ? HTTPS_ADDED : url, title, ...others }),
  };
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
  return html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li><a class="chip" href="${listAddress({ ...NO_FILTER, tag })}"><bdi>${tag}</bdi></a></li>`)}</ul>`;
}
