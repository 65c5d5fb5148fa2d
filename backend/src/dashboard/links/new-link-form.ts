import { readableHost } from '@terse/contract';
import type { Random } from '../../domain/clock-and-random.ts';
import { domainNames, type ShortBaseUrls } from '../../domain/links/short-domains.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { expiryField, field, formKeyField, type Problems, selectField } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { panel } from '../components/panel.ts';
import { EMPTY_TAG_AND_QUERY_FIELDS, type TagAndQueryFields, tagAndQueryInputs } from './tag-and-query-fields.ts';

export interface NewLinkFields extends TagAndQueryFields {
  url: string;
  code: string;
  /** Name of the domain. Empty for the default domain. */
  domain: string;
  title: string;
  expiresAt: string;
}

interface NewLinkView {
  fields: NewLinkFields;
  problems: Problems;
  shortBaseUrls: ShortBaseUrls;
  /** True if the server forwards query parameters by default. */
  forwardQuery: boolean;
  times: DateFormats;
  random: Random;
  /**
   * True if the user opened the page by sharing a URL. Most fields are then collapsed, so that the form fits on a
   * phone screen.
   */
  isShared?: boolean;
}

export const EMPTY_FIELDS: NewLinkFields = {
  url: '',
  code: '',
  domain: '',
  title: '',
  expiresAt: '',
  ...EMPTY_TAG_AND_QUERY_FIELDS,
};

/**
 * Draws the button that opens the panel for a new link. Without JavaScript, the button opens a page with the same
 * form.
 */
export function newLinkButton(): Html {
  return html`<a class="button is-primary" href="/links/new" data-opens="new-link">${icon('plus')}New link</a>`;
}

/** Draws the panel that creates a link. A script shows errors in the panel and copies the new short URL. */
export function newLinkPanel(view: Omit<NewLinkView, 'fields' | 'problems'>): Html {
  const content = html`<form class="panel-form" method="post" novalidate action="/links" data-creates>
  ${formKeyField(view.random)}${newLinkFields({ ...view, fields: EMPTY_FIELDS, problems: null })}
  <div class="panel-foot"><p class="problem" role="alert" data-unreachable hidden>The server can’t be reached. Try again.</p><button class="button is-primary is-wide" type="submit">Create and copy</button><button type="button" class="button" data-close>Cancel</button></div>
</form>`;
  return panel({ id: 'new-link', title: 'New link', content, needsScript: true });
}

/** Draws the page that creates a link. Phones open this page when the user shares a URL with the app. */
export function newLinkView(view: NewLinkView): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links" data-creates>
  <h1>New link</h1>
  ${formKeyField(view.random)}${newLinkFields(view)}
  <p class="problem" role="alert" data-unreachable hidden>The server can’t be reached. Try again.</p>
  <div class="actions"><button class="button is-primary" type="submit">Create link</button><a class="button" href="/links">Cancel</a></div>
</form>`;
}

function newLinkFields({ fields, problems, shortBaseUrls, forwardQuery, times, isShared }: NewLinkView): Html {
  const [url, code, title] = [fields.url, fields.code, fields.title];
  const domains = domainNames(shortBaseUrls);
  const domainOptions = Object.fromEntries(domains.map((domain) => [domain, readableHost(domain)]));
  // The placeholder shows the only domain. If there are several domains, the user selects one in another field.
  const placeholder = domains.length === 1 ? `${readableHost(domains[0] ?? '')}/` : undefined;
  // Also shows the domain field if it has an error message. For example, the chosen domain may have been removed.
  const hasDomainField = domains.length > 1 || problems?.domain !== undefined;
  const options = html`${hasDomainField ? selectField({ name: 'domain', label: 'Domain', value: fields.domain }, domainOptions, problems) : ''}
  ${field({ name: 'code', label: 'Short code', value: code, ...(placeholder && { placeholder }), help: 'Random if left empty', autocomplete: 'off', maxlength: 64 }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  ${tagAndQueryInputs(fields, problems, forwardQuery)}`;
  // If another app or site has filled in the form, no field has the focus. Otherwise, an accidental key press could
  // submit the form.
  const autofocus = !isShared;
  return html`<div class="panel-body" data-fields>
  ${field({ name: 'url', label: 'Address', type: 'url', value: url, placeholder: 'https://', required: true, autocomplete: 'off', autofocus }, problems)}
  ${field({ name: 'title', label: 'Title', value: title, help: 'Only you can see it', autocomplete: 'off' }, problems)}
  ${isShared ? html`<details><summary>More options</summary><div class="fields">${options}</div></details>` : options}
</div>`;
}
