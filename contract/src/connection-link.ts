import { KEY_SCOPES, type KeyScope } from './api-key.ts';

/** A service's address and the API key to use there. */
export interface Connection {
  /** Origin and path without a trailing slash, e.g. `https://links.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** What the key may do, as far as the link says so. What holds is what the service says of the key. */
  scopes?: readonly KeyScope[];
  /** Whether the key sees no links but those it made itself; there wherever `scopes` are. */
  ownLinksOnly?: boolean;
}

/** A header value (RFC 9110, section 5.5) of one word, and no key is longer: what a key has to be to be sent as one. */
const API_KEY_PATTERN = /^[\x21-\x7e]{1,512}$/;

/** Whether a text can be an API key. */
export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text);
}

/** Why an address cannot be a service's. */
export type AddressProblem = 'not_a_url' | 'not_http' | 'insecure' | 'user_info';

/** A host as the URL parser writes it that a network can know: names in a row, or an IP address. */
const HOST_PATTERN = /^(\[.+]|[\w-]+(\.[\w-]+)*\.?)$/;

/**
 * Reads a service address a person typed. A missing scheme is taken as https, where a domain or an IP address follows: one
 * name alone is a slip of the pen, as in `http//links.example.com`. http is for loopback alone, since the key would
 * travel readable. Path is kept, query and fragment are not part of an address.
 */
export function parseServiceAddress(text: string): { baseUrl: string } | { problem: AddressProblem } {
  const trimmed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : `https://${trimmed}`);
  const isHost = url && HOST_PATTERN.test(url.hostname) && (hasScheme || /\.|^localhost$|^\[/.test(url.hostname));
  if (!isHost || /\s/.test(trimmed)) return { problem: 'not_a_url' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'not_http' };
  if (url.username || url.password) return { problem: 'user_info' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { problem: 'insecure' };
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, '') };
}

/**
 * Whether a WHATWG-serialised host name can only mean this machine. Other loopback spellings (127.0.0.2, [::1]) do too,
 * but browsers' permission patterns and content security policies cannot all name them.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
}

/**
 * Reads a connection link, `https://links.example.com/#key=…` or `…#key=…&scopes=create,read&links=own`; null where the
 * text is not one. Version 0.1 passes over everything but the key.
 */
export function parseConnectionLink(text: string): Connection | null {
  const [address = '', fragment] = text.trim().split('#', 2);
  const fields = new URLSearchParams(fragment ?? '');
  const apiKey = fields.get('key')?.trim();
  if (!apiKey) return null;
  const parsed = parseServiceAddress(address);
  if ('problem' in parsed) return null;
  const named = fields.get('scopes')?.split(',');
  const scopes = KEY_SCOPES.filter((scope) => named?.includes(scope));
  const access = scopes.length > 0 && { scopes, ownLinksOnly: fields.get('links') === 'own' };
  return { baseUrl: parsed.baseUrl, apiKey, ...access };
}

/** Writes a connection link. The key stands in the fragment, which a browser never sends to a server. */
export function formatConnectionLink({ baseUrl, apiKey, scopes, ownLinksOnly }: Connection): string {
  const access = scopes ? `&scopes=${scopes.join(',')}${ownLinksOnly ? '&links=own' : ''}` : '';
  return `${baseUrl}/#key=${encodeURIComponent(apiKey)}${access}`;
}
