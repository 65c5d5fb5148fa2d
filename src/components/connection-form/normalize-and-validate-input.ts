import {
  type AddressProblem,
  isApiKey,
  parseConnectionLink,
  parseServiceAddress,
} from '@terse/contract/connection-link';
import type { ServerSettings } from '../../messages/protocol.ts';
import { checkSettings, type SettingsDraft, type SettingsProblem } from './server-settings.ts';

/** Contents of the form. A null `apiKey` keeps the stored key. */
export interface Draft extends SettingsDraft {
  address: string;
  apiKey: string | null;
  /** Name that the user gave the connection; may be empty. */
  name: string;
}

export type FieldProblem =
  | { field: 'address'; code: AddressProblem }
  | { field: 'key'; code: 'missing' | 'not_a_key' }
  | SettingsProblem;

export type Checked = ({ baseUrl: string; apiKey: string | null } & Required<ServerSettings>) | FieldProblem;

/**
 * API paths that are removed from typed addresses. Users often paste the address of an endpoint instead of the
 * server's base address.
 */
const API_PATHS = [
  // Terse and Kutt
  'api(/shorten|/v[12](/.*)?)?',
  // Sink
  'api/(verify|link/.*)',
  // chhoto-url
  'api/(new|all|expand|edit|whoami|getconfig|version)',
  // Shlink
  'rest/(health|v\\d+(/.*)?)',
  // YOURLS
  'yourls-api\\.php',
];
const API = new RegExp(`(?<!/)/(${API_PATHS.join('|')})$`);

/**
 * Applies a change to the form. If the user pastes a connection link into the address or key field, fills both fields
 * from the link.
 */
export function entered(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const grown = length(next) - length(draft);
  return grown > 1 ? resolved(next) : next;
}

/**
 * Returns the contents of the form. If the address or key field contains a connection link, both fields are filled
 * from the link.
 */
export function resolved(draft: Draft): Draft {
  const connection = parseConnectionLink(draft.address) ?? parseConnectionLink(draft.apiKey ?? '');
  return connection ? { ...draft, address: connection.baseUrl, apiKey: connection.apiKey } : draft;
}

function length({ address, apiKey }: Pick<Draft, 'address' | 'apiKey'>): number {
  return address.length + (apiKey ?? '').length;
}

/**
 * Validates the form. Returns the connection's data, or the first problem found.
 *
 * @param storedBaseUrl address for which the key was stored; the key is never sent to another address
 */
export function checkDraft(draft: Draft, storedBaseUrl: string | null): Checked {
  const parsed = parseServiceAddress(draft.address);
  if ('problem' in parsed) return { field: 'address', code: parsed.problem };
  const apiKey = draft.apiKey?.trim() || null;
  // An API path at the end of the address is removed only if the user changed the address.
  const baseUrl = parsed.baseUrl === storedBaseUrl ? storedBaseUrl : parsed.baseUrl.replace(API, '');
  if (apiKey === null && baseUrl !== storedBaseUrl) return { field: 'key', code: 'missing' };
  if (apiKey !== null && !isApiKey(apiKey)) return { field: 'key', code: 'not_a_key' };
  const settings = checkSettings(draft);
  return 'field' in settings ? settings : { baseUrl, apiKey, ...settings };
}
