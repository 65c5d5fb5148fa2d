import { asciiHost } from '@terse/contract';
import { codePath, isLinkCode } from './short-codes.ts';

/** Public origins of the short URLs, without a trailing slash. The first one is the default domain. */
export type ShortBaseUrls = readonly [string, ...string[]];

/** A host with an optional port, as in `URL.host`. */
const HOST = /^[a-z0-9._:[\]-]+$/;

/** Splits a stored code into its host and its short code. The host is empty for the default domain. */
export function splitStoredCode(stored: string): { host: string; code: string } {
  if (!stored.startsWith('//')) return { host: '', code: stored };
  const end = stored.indexOf('/', 2);
  return { host: stored.slice(2, end), code: stored.slice(end + 1) };
}

/** True if the text is a valid stored code of any domain. */
export function isStoredCode(text: string): boolean {
  if (!text.startsWith('//')) return isLinkCode(text);
  const { host, code } = splitStoredCode(text);
  return HOST.test(host) && isLinkCode(code);
}

export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

/** Returns the names of all domains, starting with the default domain. */
export function domainNames(baseUrls: ShortBaseUrls): string[] {
  return baseUrls.map(hostOf);
}

/** Returns the name of a link's domain, such as `sho.rt`. */
export function domainOf(stored: string, baseUrls: ShortBaseUrls): string {
  return splitStoredCode(stored).host || hostOf(baseUrls[0]);
}

/**
 * Returns the host of the domain with this name, or an empty string for the default domain. International names can be
 * written with their own letters or as `xn--…`.
 */
export function hostOfDomain(name: string, baseUrls: readonly string[]): string {
  if (name === '') return '';
  const host = asciiHost(name.trim()) ?? name;
  return baseUrls[0] !== undefined && host === hostOf(baseUrls[0]) ? '' : host;
}

/**
 * Finds the domain of this service with the same host as an imported short URL. Returns the name of the domain, or an
 * empty string if there is none.
 *
 * @param hostname host without a port, or null if it is unknown
 */
export function domainAt(hostname: string | null, baseUrls: ShortBaseUrls): string {
  const found = baseUrls.find((baseUrl) => new URL(baseUrl).hostname === hostname);
  return found ? hostOf(found) : '';
}

/**
 * Returns the short URL of a link. A domain that was removed from the settings is assumed to have the same scheme as
 * the default domain.
 */
export function shortUrlOf(stored: string, baseUrls: ShortBaseUrls): string {
  const { host, code } = splitStoredCode(stored);
  const [standard, ...others] = baseUrls;
  const removed = `${new URL(standard).protocol}//${host}`;
  const baseUrl = host === '' ? standard : (others.find((other) => hostOf(other) === host) ?? removed);
  return `${baseUrl}/${codePath(code)}`;
}

/** Domain of a request: its host, an empty string for the default domain, or the reason why it has no links. */
export type RequestDomain = { host: string } | 'removed' | 'unknown';

/**
 * Returns a function that finds the domain of a request by its `Host` header. A removed domain has links, but is no
 * longer in the settings. No domain is assumed for an unknown host, because the same short code can exist on each
 * domain.
 *
 * @param removed hosts of the removed domains
 * @returns null instead of a function if all requests belong to the default domain
 */
export function createDomainFinder(
  baseUrls: ShortBaseUrls,
  removed: readonly string[],
): ((header: string | undefined) => RequestDomain) | null {
  const [standard, ...others] = domainNames(baseUrls);
  if (others.length === 0 && removed.length === 0) return null;
  const domains = new Map<string, RequestDomain>([
    [standard as string, { host: '' }],
    ...others.map((host): [string, RequestDomain] => [host, { host }]),
    ...removed.map((host): [string, RequestDomain] => [host, 'removed']),
  ]);
  // Adds each host without its port too, because a proxy may change the port in the `Host` header.
  const hostnames = [...domains.keys()].map(withoutPort);
  const isUnique = (hostname: string) => hostnames.filter((other) => other === hostname).length === 1;
  for (const [host, domain] of [...domains]) {
    if (isUnique(withoutPort(host))) domains.set(withoutPort(host), domain);
  }
  return (header = '') => {
    const host = header.toLowerCase().replace(/\.(?=$|:)/, '');
    return domains.get(host) ?? domainWithoutPort(host) ?? 'unknown';
  };

  function domainWithoutPort(host: string): RequestDomain | undefined {
    const hostname = withoutPort(host);
    return isUnique(hostname) || /:(80|443)$/.test(host) ? domains.get(hostname) : undefined;
  }
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
