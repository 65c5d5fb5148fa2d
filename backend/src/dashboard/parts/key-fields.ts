import type { KeyScope } from '@terse/contract';
import { KEY_NAME_LIMIT, type KeyAccess } from '../../domain/keys.ts';
import type { KeyLimits } from '../../domain/limits.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { KeyFields } from '../key-form.ts';
import { figure } from '../words.ts';
import { field } from './field.ts';

export function nameField(name: string, problems: Problems): Html {
  const more = { placeholder: 'Laptop', maxlength: KEY_NAME_LIMIT, required: true, autocomplete: 'off' };
  return field({ name: 'name', label: 'Name', value: name, ...more }, problems);
}

/** The limits of a key, closed unless it has some or something is wrong with them. */
export function limitFields({ quota, throttle }: KeyFields, problems: Problems, standard: KeyLimits): Html {
  const isOpen = quota !== '' || throttle !== '';
  return html`<details class="more" ${isOpen ? html`open` : ''}><summary>Limits for this key</summary>
  <div class="fields">
    <p class="help">Leave a field empty to keep the limit of this service: ${figure(standard.quota)} a day, ${standard.throttle} a second.</p>
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
