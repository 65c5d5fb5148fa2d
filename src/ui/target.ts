import { isWebAddress } from './addresses.ts';
import type { MessageKey } from './strings.ts';

/** Why an address cannot be shortened; each has its sentence under `blocked_<reason>`. */
export type Blocked = 'unknown' | 'browser' | 'extension' | 'file' | 'own_short_link' | 'scheme' | 'not_a_url';

export type Target = { url: string } | { blocked: Blocked };

export function blockedSentence(reason: Blocked): MessageKey {
  return `blocked_${reason}`;
}

/**
 * What a tab's address comes to. Firefox's reader view is the page it shows.
 *
 * @param url as the browser tells it; undefined where it does not
 * @param shortBaseUrl where the connected service's short URLs live, if known: shortening one again only makes a chain
 */
export function pageTarget(url: string | undefined, shortBaseUrl: string | undefined): Target {
  const parsed = url ? URL.parse(url) : null;
  if (!url || !parsed) return { blocked: 'unknown' };
  const read = parsed.href.startsWith('about:reader?') ? parsed.searchParams.get('url') : null;
  if (read && isWebAddress(read)) return pageTarget(read, shortBaseUrl);
  if (isWebAddress(url)) return isShortUrl(parsed, shortBaseUrl) ? { blocked: 'own_short_link' } : { url };
  if (parsed.protocol === 'file:') return { blocked: 'file' };
  if (/^(chrome|moz|safari-web)-extension:$/.test(parsed.protocol)) return { blocked: 'extension' };
  return { blocked: /^(data|blob|javascript|ftp|filesystem):$/.test(parsed.protocol) ? 'scheme' : 'browser' };
}

/** What a person typed or pasted comes to. A missing scheme is taken as https, the way an address bar would. */
export function typedTarget(text: string, shortBaseUrl: string | undefined): Target {
  const trimmed = text.trim();
  if (/\s/.test(trimmed)) return { blocked: 'not_a_url' };
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(trimmed)?.[1];
  if (scheme && !/^https?$/i.test(scheme)) return { blocked: 'scheme' };
  const parsed = URL.parse(scheme ? trimmed : `https://${trimmed}`);
  if (!parsed || !/\.|^localhost$|^\[/.test(parsed.hostname)) return { blocked: 'not_a_url' };
  return isShortUrl(parsed, shortBaseUrl) ? { blocked: 'own_short_link' } : { url: parsed.href };
}

function isShortUrl(url: URL, shortBaseUrl: string | undefined): boolean {
  return shortBaseUrl !== undefined && url.origin === URL.parse(shortBaseUrl)?.origin;
}
