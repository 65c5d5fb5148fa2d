import { splitTags } from '../../domain/links/link-rules.ts';
import { type Form, field, type Problems, selectField } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { listAddress, NO_FILTER } from './link-list-address.ts';

export interface TagAndQueryFields {
  tags: string;
  /** Empty if the server's default applies. */
  forwardQuery: string;
}

export const EMPTY_TAG_AND_QUERY_FIELDS: TagAndQueryFields = { tags: '', forwardQuery: '' };

export function tagAndQueryFields({
  tags,
  forwardQuery,
}: {
  tags: string[];
  forwardQuery: boolean | null;
}): TagAndQueryFields {
  return { tags: tags.join(', '), forwardQuery: forwardQuery === null ? '' : String(forwardQuery) };
}

export function readTagAndQueryFields(form: Form): TagAndQueryFields {
  return { tags: form.text('tags'), forwardQuery: form.text('forwardQuery') };
}

/**
 * Parses the submitted tags and the setting for query forwarding. An unknown setting is treated as the server's
 * default.
 */
export function parseTagAndQueryFields({ tags, forwardQuery }: TagAndQueryFields) {
  const choice = ['true', 'false'].includes(forwardQuery) ? forwardQuery === 'true' : null;
  return { tags: splitTags(tags), forwardQuery: choice };
}

/**
 * Draws the fields for the tags and for query forwarding.
 *
 * @param isDefault true if this server forwards query parameters by default
 */
export function tagAndQueryInputs(fields: TagAndQueryFields, problems: Problems, isDefault: boolean): Html {
  const options = { '': `Default of this server (${isDefault ? 'yes' : 'no'})`, true: 'Yes', false: 'No' };
  const help = 'Adds the query of the short URL (?key=value) to the address';
  return html`${field({ name: 'tags', label: 'Tags', value: fields.tags, help: 'Separated by commas', autocomplete: 'off' }, problems)}
  ${selectField({ name: 'forwardQuery', label: 'Forward query parameters', value: fields.forwardQuery, help }, options)}`;
}

/** Draws the tags of a link. Each tag opens the list of links with this tag. */
export function tagList(tags: readonly string[]): Html | '' {
  if (tags.length === 0) return '';
  return html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li><a class="chip" href="${listAddress({ ...NO_FILTER, tag })}"><bdi>${tag}</bdi></a></li>`)}</ul>`;
}
