import type { LinkEdit, StoredLink } from '../../domain/links/stored-link.ts';
import { HTTPS_ADDED, validateEditedLink, withHttps } from '../../domain/links/validate-link-form.ts';
import type { TargetRules } from '../../domain/links/validate-target.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, expiryField, type Form, field, type Problems } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { linkAddress } from './link-list-address.ts';
import {
  parseTagAndQueryFields,
  readTagAndQueryFields,
  type TagAndQueryFields,
  tagAndQueryFields,
  tagAndQueryInputs,
} from './tag-and-query-fields.ts';

export interface EditFields extends TagAndQueryFields {
  url: string;
  title: string;
  expiresAt: string;
}

export interface RefusedEdit {
  fields: EditFields;
  problems: Problems;
}

export function editFields(link: StoredLink, times: DateFormats): EditFields {
  const { url, title, expiresAt } = link;
  return { url, title: title ?? '', expiresAt: times.fieldValue(expiresAt), ...tagAndQueryFields(link) };
}

/**
 * Draws the form that edits a link.
 *
 * @param forwardQuery true if this server forwards query parameters by default
 */
export function editForm(
  link: StoredLink,
  {
    fields,
    problems,
    times,
    forwardQuery,
  }: {
    fields: EditFields;
    problems: Problems;
    times: DateFormats;
    forwardQuery: boolean;
  },
): Html {
  return html`<form class="panel-form" method="post" action="${linkAddress(link.code)}" novalidate>
  <div class="panel-body">
  ${field({ name: 'url', label: 'Address', type: 'url', value: fields.url, required: true, autocomplete: 'off' }, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you can see it', autocomplete: 'off' }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  ${tagAndQueryInputs(fields, problems, forwardQuery)}
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
  const { url, title } = { url: form.text('url'), title: form.text('title') };
  const fields = { url, title, expiresAt: form.text('expiresAt'), ...readTagAndQueryFields(form) };
  // The form shows the expiry time without seconds. If the user did not change this time, the exact stored time is
  // kept.
  const isUnchanged = fields.expiresAt === times.fieldValue(link.expiresAt);
  const expiresAt = isUnchanged ? link.expiresAt : times.read(fields.expiresAt);
  const validated = validateEditedLink(
    { url, title, expiresAt, ...parseTagAndQueryFields(fields) },
    link,
    targets,
    now,
  );
  if ('edit' in validated) return validated;
  const guess = validated.problems.url && withHttps(fields.url, targets);
  const problems = collectProblems({ ...validated.problems, ...(guess && { url: HTTPS_ADDED }) });
  return { fields: { ...fields, url: guess || fields.url }, problems };
}
