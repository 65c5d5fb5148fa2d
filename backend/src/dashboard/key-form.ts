import { KEY_SCOPES, type KeyScope } from '@terse/contract';
import { type OwnLimits, validateKeyLimits } from '../domain/key-limits.ts';
import { type KeyAccess, keyNameProblem } from '../domain/keys.ts';
import type { KeyLimits } from '../domain/limits.ts';
import { plainName } from '../domain/name-rules.ts';
import type { ApiKey } from '../store/store.ts';
import { type Form, type Problems, problemsOf } from './form.ts';

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
  const fields = { name: plainName(form.text('name')), quota: form.text('quota'), throttle: form.text('throttle') };
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
