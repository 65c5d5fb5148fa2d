import {
  type Connection as ConnectionLink,
  isApiKey,
  parseConnectionLink,
  parseServiceAddress,
} from '@terse/contract/connection-link';
import { readableHost, readableUrl } from '@terse/contract/readable-host';
import type { MessageKey } from '../../format/i18n.ts';
import type { ServerSettings } from '../../messages/protocol.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { Connection } from '../../queue/types.ts';
import type { ServiceKind } from '../../servers/adapter.ts';

/** Contents of the form, as the user typed them. */
export interface Draft {
  address: string;
  /** Empty to keep the stored key. */
  apiKey: string;
  /** Name that the user gave the connection; may be empty. */
  name: string;
  /** Empty to detect the kind automatically. */
  kind: ServiceKind | '';
  /** Empty for the server's default domain. */
  domain: string;
  /** Empty for no limit. */
  perSecond: string;
  perDay: string;
}

export const EMPTY_DRAFT: Draft = {
  address: '',
  apiKey: '',
  name: '',
  kind: '',
  domain: '',
  perSecond: '',
  perDay: '',
};

/** A field with an invalid value, and the message about it. */
export interface FieldProblem {
  field: keyof Draft;
  message: MessageKey;
}

/** Returns the draft of a stored connection. */
export function storedDraft(connection: Connection): Draft {
  const { baseUrl, name, kind, isKindChosen, domain = '', limits } = connection;
  const text = (limit: number | null | undefined) => (limit == null ? '' : String(limit));
  return {
    address: readableUrl(baseUrl),
    apiKey: '',
    name,
    kind: (isKindChosen && kind) || '',
    domain: readableHost(domain),
    perSecond: text(limits?.perSecond),
    perDay: text(limits?.perDay),
  };
}

/**
 * Returns the change that an input makes to the form. If the user pastes a connection link into the address or key
 * field, both fields change.
 */
export function entered(draft: Draft, input: Partial<Draft>): Partial<Draft> {
  const next = { ...draft, ...input };
  const length = ({ address, apiKey }: Draft) => address.length + apiKey.length;
  return length(next) - length(draft) > 1 ? { ...input, ...linkIn(next) } : input;
}

/** Returns the address and the key of a connection link in the address or key field. Empty if there is no link. */
export function linkIn(draft: Draft): Partial<Draft> {
  const connection = parseConnectionLink(draft.address) ?? parseConnectionLink(draft.apiKey);
  return connection ? { address: connection.baseUrl, apiKey: connection.apiKey } : {};
}

/**
 * API paths that are removed from typed addresses. Users often paste the address of an endpoint instead of the
 * server's base address.
 */
const API_PATHS = [
  // Terse, Kutt, Sink and chhoto-url
  'api(/(shorten|v[12]|verify|link|new|all|expand|edit|whoami|getconfig|version)(/.*)?)?',
  // Shlink
  'rest/(health|v\\d+)(/.*)?',
  // YOURLS
  'yourls-api\\.php',
];
const API = new RegExp(`(?<!/)/(${API_PATHS.join('|')})$`);

export type CheckedDraft = { baseUrl: string; apiKey: string | null } & Required<ServerSettings>;

/**
 * Validates the form. Returns the connection's data, or the first problem found.
 *
 * @param storedBaseUrl address for which the key was stored; the key is never sent to another address
 */
export function checkDraft(draft: Draft, storedBaseUrl: string | null): CheckedDraft | FieldProblem {
  const parsed = parseServiceAddress(draft.address);
  if ('problem' in parsed) return { field: 'address', message: `address_${parsed.problem}` };
  const apiKey = draft.apiKey.trim() || null;
  // An API path at the end of the address is removed only if the user changed the address.
  const baseUrl = parsed.baseUrl === storedBaseUrl ? storedBaseUrl : parsed.baseUrl.replace(API, '');
  if (apiKey === null && baseUrl !== storedBaseUrl) return { field: 'apiKey', message: 'key_missing' };
  if (apiKey !== null && !isApiKey(apiKey)) return { field: 'apiKey', message: 'key_not_a_key' };
  const typed = draft.domain.trim();
  const domain = typed === '' ? null : hostOf(typed);
  if (domain === undefined) return { field: 'domain', message: 'serverDomainMalformed' };
  const [perSecond, perDay] = [limitOf(draft.perSecond), limitOf(draft.perDay)];
  if (perSecond === undefined) return { field: 'perSecond', message: 'limitsMalformed' };
  if (perDay === undefined || !Number.isInteger(perDay ?? 1)) return { field: 'perDay', message: 'limitsMalformed' };
  const limits = perSecond === null && perDay === null ? null : { perSecond, perDay };
  return { baseUrl, apiKey, kind: draft.kind || null, domain, limits };
}

/**
 * Returns the host of a domain or URL that the user typed. Returns undefined if the text is invalid or contains a
 * path, a query, a fragment or a user name.
 */
function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.pathname === '/' && url.search === '' && url.hash === '' && !url.username ? url.host : undefined;
}

/**
 * Parses a limit. Returns null for an empty field. Returns undefined if the text is not a positive number or exceeds
 * the maximum.
 */
function limitOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const limit = Number(text);
  return limit > 0 && limit <= MAX_OWN_LIMIT ? limit : undefined;
}

/**
 * Returns the connection link from the page's address, and removes it from the address. `npm start` opens the page
 * with such a link.
 */
export function takeOfferedConnection(): ConnectionLink | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}
