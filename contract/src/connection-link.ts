import { isLoopback } from './addresses.ts';
import { KEY_SCOPES, type KeyScope } from './api-key.ts';

/** Address of a link-shortening service, and an API key for the service. */
export interface Connection {
  /** Origin and path without a trailing slash, such as `https://links.example.com`. */
  baseUrl: string;
  apiKey: string;
  /**
   * Permissions of the API key, if the connection link contains them. This list is for information only, because the
   * service decides which permissions the key has.
   */
  scopes?: readonly KeyScope[];
  /** True if the API key can access only links that were created with this key. Present if `scopes` is present. */
  ownLinksOnly?: boolean;
}

/**
 * Valid API keys, which consist of 1 to 512 visible ASCII characters without spaces. HTTP headers can contain all of
 * these characters (RFC 9110, section 5.5).
 */
const API_KEY_PATTERN = /^[\x21-\x7e]{1,512}$/;

export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text);
}

export type AddressProblem = 'not_a_url' | 'not_http' | 'insecure' | 'user_info';

const HOST_PATTERN = /^(\[.+]|[\w-]+(\.[\w-]+)*\.?)$/;

/**
 * Parses a service address that a user typed. If the scheme is missing, adds `https://` before a domain, an IP
 * address or `localhost`. Rejects any other single name, such as `http` in `http//links.example.com`, because it is
 * probably a typing error. Allows unencrypted http only for the local computer. Keeps the path, but removes the query
 * and the fragment.
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
 * Parses a connection link, which contains the address of a service and an API key:
 * `https://links.example.com/#key=…` or `https://links.example.com/#key=…&scopes=create,read&links=own`. Returns null
 * if the text is not a connection link. Clients of version 0.1 read only the key.
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

/**
 * Returns a link that contains the address of a service and an API key. The key is in the fragment of the URL,
 * because browsers never send fragments to servers.
 */
export function formatConnectionLink({ baseUrl, apiKey, scopes, ownLinksOnly }: Connection): string {
  const access = scopes ? `&scopes=${scopes.join(',')}${ownLinksOnly ? '&links=own' : ''}` : '';
  return `${baseUrl}/#key=${encodeURIComponent(apiKey)}${access}`;
}
