import { KEY_SCOPES, type KeyScope } from '@terse/contract';
import {
  accessProblem,
  FULL_ACCESS,
  KEY_NAME_LIMIT,
  type KeyAccess,
  keyNameProblem,
} from '../../domain/accounts/api-keys.ts';
import { normalizeName } from '../../domain/accounts/names-invitations-sessions.ts';
import { type KeyLimits, type OwnLimits, validateKeyLimits } from '../../domain/limits/key-limits.ts';
import { formatNumber } from '../components/dates-and-numbers.ts';
import { collectProblems, type Form, field, type Problems } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';

/** Form for an API key, as the user submitted it. */
export interface KeyForm {
  /** An empty limit means the default limit. */
  fields: { name: string; quota: string; throttle: string };
  access: KeyAccess;
  problems: Problems;
  /** Limits to store if there are no problems. */
  own: OwnLimits;
}

const DEFAULT_LIMITS: OwnLimits = { quota: null, throttle: null };

export const EMPTY_KEY_FORM: KeyForm = {
  fields: { name: '', quota: '', throttle: '' },
  access: FULL_ACCESS,
  problems: null,
  own: DEFAULT_LIMITS,
};

/**
 * Reads and validates the form for an API key.
 *
 * @param hasAccess true if the form has the permissions, which cannot be changed later
 */
export function readKeyForm(form: Form, standard: KeyLimits, isOwner: boolean, hasAccess: boolean): KeyForm {
  const fields = { name: normalizeName(form.text('name')), quota: form.text('quota'), throttle: form.text('throttle') };
  const scopes = KEY_SCOPES.filter((scope) => form.text(`scope-${scope}`) !== '');
  const access = { scopes, ownLinksOnly: form.text('ownLinksOnly') !== '' };
  const checked = validateKeyLimits(fields, standard, isOwner);
  const problems = collectProblems({
    name: keyNameProblem(fields.name),
    scopes: hasAccess ? accessProblem(access) : null,
    ...('problems' in checked ? checked.problems : {}),
  });
  return { fields, access, problems, own: 'limits' in checked ? checked.limits : DEFAULT_LIMITS };
}

/** Describes the permissions of a key: "Can create, read and manage links". */
export function accessText({ scopes, ownLinksOnly }: KeyAccess): string {
  const names = LIST_FORMAT.format(scopes.map((scope) => SCOPE_NAMES[scope]));
  return `Can ${names} ${ownLinksOnly ? 'its own links' : 'links'}`;
}

const SCOPE_NAMES: Record<KeyScope, string> = { create: 'create', read: 'read', manage: 'manage' };

const LIST_FORMAT = new Intl.ListFormat('en-GB', { type: 'conjunction' });

type ShownForm = Pick<KeyForm, 'fields' | 'problems'>;

export function nameField({ fields, problems }: ShownForm): Html {
  const more = { placeholder: 'Laptop', maxlength: KEY_NAME_LIMIT, required: true, autocomplete: 'off' };
  return field({ name: 'name', label: 'Name', value: fields.name, ...more }, problems);
}

/** Draws the fields for the limits of an API key. The fields are collapsed if the key has the default limits. */
export function limitFields({ fields, problems }: ShownForm, standard: KeyLimits): Html {
  const { quota, throttle } = fields;
  const isOpen = quota !== '' || throttle !== '';
  return html`<details class="more" ${isOpen ? html`open` : ''}><summary>Limits for this key</summary>
  <div class="fields">
    <p class="help">Leave a field empty to use the default limit: ${formatNumber(standard.quota)} per day, ${standard.throttle} per second.</p>
    ${field({ name: 'quota', label: 'Requests per day', value: quota, placeholder: String(standard.quota), autocomplete: 'off' }, problems)}
    ${field({ name: 'throttle', label: 'Requests per second', value: throttle, placeholder: String(standard.throttle), autocomplete: 'off' }, problems)}
  </div></details>`;
}

const SCOPE_BOXES: { scope: KeyScope; label: string; help: string }[] = [
  { scope: 'create', label: 'Create links', help: 'Required to shorten URLs.' },
  { scope: 'read', label: 'Read links', help: 'Shows your links and their clicks in the extension.' },
  { scope: 'manage', label: 'Manage links', help: 'Edit and delete links.' },
];

/** Draws the check boxes for the permissions of a new API key. Permissions cannot be changed later. */
export function accessFields({ access, problems }: KeyForm): Html {
  const { scopes, ownLinksOnly } = access;
  const problem = problems?.scopes;
  const boxes = SCOPE_BOXES.map(({ scope, label, help }, index) =>
    checkbox(
      `scope-${scope}`,
      label,
      help,
      scopes.includes(scope),
      index === 0 && Object.keys(problems ?? {})[0] === 'scopes',
    ),
  );
  return html`<fieldset class="checks" ${problem ? html`aria-describedby="scopes-problem"` : ''}>
  <legend>Permissions</legend>
  ${boxes}
  ${checkbox('ownLinksOnly', 'Only links created with this key', 'The key cannot see or change your other links.', ownLinksOnly, false)}
  ${problem ? html`<p class="problem" id="scopes-problem">${problem}</p>` : ''}
</fieldset>`;
}

function checkbox(name: string, label: string, help: string, isChecked: boolean, hasFocus: boolean): Html {
  return html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="yes" aria-describedby="${name}-help" ${isChecked ? html`checked` : ''} ${hasFocus ? html`autofocus` : ''}>
  <div><label for="${name}">${label}</label><p class="help" id="${name}-help">${help}</p></div></div>`;
}
