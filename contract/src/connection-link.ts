import { KEY_SCOPES, type KeyScope } from './api-key.ts';

/** Address of a service, and the API key to use there. */
export interface Connection {
  /** Origin and path without a trailing slash, e.g. `https://links.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Scopes of the key, if the link names them. The service decides what the key may really do. */
  scopes?: readonly KeyScope[];
  /** True if the key sees only links that it created. Present together with `scopes`. */
  ownLinksOnly?: boolean;
}

/** Valid API keys: one word that is allowed in an HTTP header (RFC 9110, section 5.5), of at most 512 characters. */
const API_KEY_PATTERN = /^[\x21-\x7e]{1,512}$/;

/** True if a text can be an API key. */
export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text);
}

/** Reason why an address cannot belong to a service. */
export type AddressProblem = 'not_a_url' | 'not_http' | 'insecure' | 'user_info';

/** A host name or an IP address, as the URL parser writes it. */
const HOST_PATTERN = /^(\[.+]|[\w-]+(\.[\w-]+)*\.?)$/;

/**
 * Parses the service address that a user typed. A missing scheme becomes https, but only before a domain or an IP address: a
 * single name is a typing error, as in `http//links.example.com`. Unencrypted http is allowed only for loopback. The path is
 * part of the address; query and fragment are removed.
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
 * True if a host name, as the URL parser writes it, means this computer. Other loopback addresses (127.0.0.2, [::1]) are left
 * out, because not all permission patterns and content security policies can contain them.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
}

/**
 * Parses a connection link: `https://links.example.com/#key=…` or `…#key=…&scopes=create,read&links=own`. Null if the text is
 * not one. Version 0.1 ignores all fields but the key.
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

/** Returns a connection link. The key is in the fragment, which browsers never send to a server. */
export function formatConnectionLink({ baseUrl, apiKey, scopes, ownLinksOnly }: Connection): string {
  const access = scopes ? `&scopes=${scopes.join(',')}${ownLinksOnly ? '&links=own' : ''}` : '';
  return `${baseUrl}/#key=${encodeURIComponent(apiKey)}${access}`;
}
