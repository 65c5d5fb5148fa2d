import {
  type AddressProblem,
  isApiKey,
  parseConnectionLink,
  parseServiceAddress,
} from '@terse/contract/connection-link';

/** What stands in the form. A null key: the stored one stays. */
export interface Draft {
  address: string;
  apiKey: string | null;
  /** The person's own name for the connection; may be empty. */
  name: string;
}

export type FieldProblem = { field: 'address'; code: AddressProblem } | { field: 'key'; code: 'missing' | 'not_a_key' };

export type Checked = { baseUrl: string; apiKey: string | null } | FieldProblem;

/** Below a service's address: what a person pastes who has the address of its API at hand. */
const API = /(?<!\/)\/api(\/shorten|\/v1(\/.*)?)?$/;

/** What a paste makes of the form: a connection link, in either field, fills both. Typed, it is one when it is whole. */
export function entered(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const grown = length(next) - length(draft);
  return grown > 1 ? resolved(next) : next;
}

/** The form as it is meant: a connection link that stands in one field fills both. */
export function resolved(draft: Draft): Draft {
  const connection = parseConnectionLink(draft.address) ?? parseConnectionLink(draft.apiKey ?? '');
  return connection ? { ...draft, address: connection.baseUrl, apiKey: connection.apiKey } : draft;
}

function length({ address, apiKey }: Pick<Draft, 'address' | 'apiKey'>): number {
  return address.length + (apiKey ?? '').length;
}

/**
 * Whether the form can be sent, and as what.
 *
 * @param storedBaseUrl the address the stored key belongs to; a key is never sent to another one
 */
export function checkDraft(draft: Draft, storedBaseUrl: string | null): Checked {
  const parsed = parseServiceAddress(draft.address);
  if ('problem' in parsed) return { field: 'address', code: parsed.problem };
  const apiKey = draft.apiKey?.trim() || null;
  // What is stored is as it was meant.
  const baseUrl = parsed.baseUrl === storedBaseUrl ? storedBaseUrl : parsed.baseUrl.replace(API, '');
  if (apiKey === null && baseUrl !== storedBaseUrl) return { field: 'key', code: 'missing' };
  if (apiKey !== null && !isApiKey(apiKey)) return { field: 'key', code: 'not_a_key' };
  return { baseUrl, apiKey };
}
