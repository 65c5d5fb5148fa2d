import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { expiryField } from '../parts/expiry-field.ts';
import { field } from '../parts/field.ts';
import { icon } from '../parts/icon.ts';
import type { Times } from '../times.ts';

/** What the form of a new link holds, as text. */
export interface LinkFields {
  url: string;
  code: string;
  title: string;
  expiresAt: string;
}

interface NewLinkView {
  fields: LinkFields;
  problems: Problems;
  shortBaseUrl: string;
  times: Times;
}

export function newLinkView({ fields, problems, shortBaseUrl, times }: NewLinkView): Html {
  const code = {
    name: 'code',
    label: 'Short code',
    value: fields.code,
    help: `The part after ${shortBaseUrl}/. Leave it empty for a random code.`,
    autocomplete: 'off',
    maxlength: 64,
  };
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links">
  <h1>New link</h1>
  ${field({ name: 'url', label: 'Long URL', type: 'url', value: fields.url, placeholder: 'https://…', required: true, autocomplete: 'off', autofocus: true }, problems)}
  ${field(code, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you see it.', autocomplete: 'off' }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  <div class="actions"><button class="button is-primary" type="submit">Create link</button><a class="button" href="/links">Cancel</a></div>
</form>`;
}
