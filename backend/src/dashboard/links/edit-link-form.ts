import { HTTPS_ADDED, validateEdit, withHttps } from '../../domain/links/link-form-messages.ts';
import type { LinkEdit, StoredLink } from '../../domain/links/stored-link.ts';
import type { TargetRules } from '../../domain/links/target-url.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, expiryField, type Form, field, type Problems } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { linkAddress } from './link-list-address.ts';

/** Values of the edit form, as text. */
export interface EditFields {
  url: string;
  title: string;
  expiresAt: string;
}

/** Submitted values with their error messages, to be shown again. */
export interface RefusedEdit {
  fields: EditFields;
  problems: Problems;
}

/** Returns the form's values for a stored link. */
export function editFields({ url, title, expiresAt }: StoredLink, times: DateFormats): EditFields {
  return { url, title: title ?? '', expiresAt: times.fieldValue(expiresAt) };
}

export function editForm(link: StoredLink, fields: EditFields, problems: Problems, times: DateFormats): Html {
  return html`<form class="card" method="post" action="${linkAddress(link.code)}" novalidate>
  <h2>Edit link</h2>
  ${field({ name: 'url', label: 'Long URL', type: 'url', value: fields.url, required: true, autocomplete: 'off' }, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you can see it.', autocomplete: 'off' }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>`;
}

/** Returns the changes in a submitted form, or its error messages. A missing `https://` is added for the user to check. */
export function validateEditForm(
  form: Form,
  link: StoredLink,
  { times, targets, now }: { times: DateFormats; targets: TargetRules; now: number },
): { edit: LinkEdit } | RefusedEdit {
  const fields = { url: form.text('url'), title: form.text('title'), expiresAt: form.text('expiresAt') };
  // The field has no seconds. An unchanged time must not lose its seconds.
  const isUnchanged = fields.expiresAt === times.fieldValue(link.expiresAt);
  const expiresAt = isUnchanged ? link.expiresAt : times.read(fields.expiresAt);
  const validated = validateEdit({ ...fields, expiresAt }, link, targets, now);
  if ('edit' in validated) return validated;
  const guess = validated.problems.url && withHttps(fields.url, targets);
  const problems = collectProblems({ ...validated.problems, ...(guess && { url: HTTPS_ADDED }) });
  return { fields: { ...fields, url: guess || fields.url }, problems };
}
