import { KEY_SCOPES, type KeyScope } from '@terse/contract';
import { normalizeName } from '../../domain/accounts/account-rules.ts';
import { KEY_NAME_LIMIT, type KeyAccess, keyNameProblem } from '../../domain/accounts/api-keys.ts';
import type { ApiKey } from '../../domain/accounts/stored-key.ts';
import { type KeyLimits, type OwnLimits, validateKeyLimits } from '../../domain/limits/key-limits.ts';
import { formatNumber } from '../components/dates-and-numbers.ts';
import { type Form, field, type Problems, problemsOf } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';

/** The name and limits of a key, as the form holds them: as text, empty where the service's limits hold. */
export interface KeyFields {
  name: string;
  quota: string;
  throttle: string;
}

export const NO_FIELDS: KeyFields = { name: '', quota: '', throttle: '' };

/** What was sent, and either what is wrong with it or the limits to set. */
interface Validated {
  fields: KeyFields;
  problems: Problems;
  own: OwnLimits;
}

export function validateKeyForm(form: Form, standard: KeyLimits, isOwner: boolean): Validated {
  const fields = { name: normalizeName(form.text('name')), quota: form.text('quota'), throttle: form.text('throttle') };
  const checked = validateKeyLimits(fields, standard, isOwner);
  const limitProblems = 'problems' in checked ? checked.problems : {};
  return {
    fields,
    problems: problemsOf({ name: keyNameProblem(fields.name), ...limitProblems }),
    own: 'limits' in checked ? checked.limits : { quota: null, throttle: null },
  };
}

/** What a new key may do, as it was ticked. */
export function readAccess(form: Form): KeyAccess {
  const scopes = KEY_SCOPES.filter((scope) => form.text(`scope-${scope}`) !== '');
  return { scopes, ownLinksOnly: form.text('ownLinksOnly') !== '' };
}

export function fieldsOf({ name, quota, throttle }: ApiKey): KeyFields {
  return { name, quota: quota === null ? '' : String(quota), throttle: throttle === null ? '' : String(throttle) };
}

/** What a key may do, in words for people: "Can create, read and manage links". */
export function accessText({ scopes, ownLinksOnly }: KeyAccess): string {
  const names = LIST.format(scopes.map((scope) => SCOPE_NAMES[scope]));
  return `Can ${names} ${ownLinksOnly ? 'its own links' : 'links'}`;
}

const SCOPE_NAMES: Record<KeyScope, string> = { create: 'create', read: 'read', manage: 'manage' };

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export function nameField(name: string, problems: Problems): Html {
  const more = { placeholder: 'Laptop', maxlength: KEY_NAME_LIMIT, required: true, autocomplete: 'off' };
  return field({ name: 'name', label: 'Name', value: name, ...more }, problems);
}

/** The limits of a key, closed unless it has some or something is wrong with them. */
export function limitFields({ quota, throttle }: KeyFields, problems: Problems, standard: KeyLimits): Html {
  const isOpen = quota !== '' || throttle !== '';
  return html`<details class="more" ${isOpen ? html`open` : ''}><summary>Limits for this key</summary>
  <div class="fields">
    <p class="help">Leave a field empty to keep the limit of this service: ${formatNumber(standard.quota)} a day, ${standard.throttle} a second.</p>
    ${field({ name: 'quota', label: 'Requests a day', value: quota, placeholder: String(standard.quota), autocomplete: 'off' }, problems)}
    ${field({ name: 'throttle', label: 'Requests a second', value: throttle, placeholder: String(standard.throttle), autocomplete: 'off' }, problems)}
  </div></details>`;
}

const SCOPES: { scope: KeyScope; label: string; help: string }[] = [
  { scope: 'create', label: 'Create links', help: 'Needed to shorten anything.' },
  { scope: 'read', label: 'Read links', help: 'Shows your links and their clicks in the extension.' },
  { scope: 'manage', label: 'Manage links', help: 'Edits and deletes links.' },
];

/** What a new key may do. That cannot be changed later, so that nobody is surprised by what a key in use may do. */
export function accessFields({ scopes, ownLinksOnly }: KeyAccess, problems: Problems): Html {
  const problem = problems?.scopes;
  const boxes = SCOPES.map(({ scope, label, help }, at) =>
    checkbox(
      `scope-${scope}`,
      label,
      help,
      scopes.includes(scope),
      at === 0 && Object.keys(problems ?? {})[0] === 'scopes',
    ),
  );
  return html`<fieldset class="checks" ${problem ? html`aria-describedby="scopes-problem"` : ''}>
  <legend>What this key may do</legend>
  ${boxes}
  ${checkbox('ownLinksOnly', 'Only with links made by this key', 'It cannot see or change your other links.', ownLinksOnly, false)}
  ${problem ? html`<p class="problem" id="scopes-problem">${problem}</p>` : ''}
</fieldset>`;
}

function checkbox(name: string, label: string, help: string, isChecked: boolean, hasFocus: boolean): Html {
  return html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="yes" aria-describedby="${name}-help" ${isChecked ? html`checked` : ''} ${hasFocus ? html`autofocus` : ''}>
  <div><label for="${name}">${label}</label><p class="help" id="${name}-help">${help}</p></div></div>`;
}
