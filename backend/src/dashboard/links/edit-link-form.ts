import { HTTPS_ADDED, validateEdit, withHttps } from '../../domain/links/link-form-messages.ts';
import type { LinkEdit, StoredLink } from '../../domain/links/stored-link.ts';
import type { TargetRules } from '../../domain/links/target-url.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, expiryField, type Form, field, type Problems } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { linkAddress } from './link-list-address.ts';

export interface EditFields {
  url: string;
  title: string;
  expiresAt: string;
}

/** Invalid values of the edit form, with their error messages. */
export interface RefusedEdit {
  fields: EditFields;
  problems: Problems;
}

export function editFields({ url, title, expiresAt }: StoredLink, times: DateFormats): EditFields {
  return { url, title: title ?? '', expiresAt: times.fieldValue(expiresAt) };
}

export function editForm(link: StoredLink, fields: EditFields, problems: Problems, times: DateFormats): Html {
  return html`<form class="panel-form" method="post" action="${linkAddress(link.code)}" novalidate>
  <div class="panel-body">
  ${field({ name: 'url', label: 'Address', type: 'url', value: fields.url, required: true, autocomplete: 'off' }, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you can see it', autocomplete: 'off' }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  </div>
  <div class="panel-foot"><button class="button is-primary is-wide" type="submit">Save</button><button class="button" type="button" data-close hidden>Cancel</button></div>
</form>`;
}

/**
 * Validates the edit form. If `https://` is missing, the returned form has the corrected URL, so that the user can
 * check the result.
 */
export function validateEditForm(
  form: Form,
  link: StoredLink,
  { times, targets, now }: { times: DateFormats; targets: TargetRules; now: number },
): { edit: LinkEdit } | RefusedEdit {
  const fields = { url: form.text('url'), title: form.text('title'), expiresAt: form.text('expiresAt') };
  // The form's time has no seconds. If the user did not change the time, the stored time stays exact.
  const isUnchanged = fields.expiresAt === times.fieldValue(link.expiresAt);
  const expiresAt = isUnchanged ? link.expiresAt : times.read(fields.expiresAt);
  const validated = validateEdit({ ...fields, expiresAt }, link, targets, now);
  if ('edit' in validated) return validated;
  const guess = validated.problems.url && withHttps(fields.url, targets);
  const problems = collectProblems({ ...validated.problems, ...(guess && { url: HTTPS_ADDED }) });
  return { fields: { ...fields, url: guess || fields.url }, problems };
}
