import type { Connection } from './types.ts';

/**
 * Whether a connection gives out a short URL: below the short base address that its service has named, or else on the host
 * that the person has entered the key for.
 */
export function givesOut({ service, baseUrl }: Connection, shortUrl: string): boolean {
  if (service) return shortUrl.startsWith(`${service.shortBaseUrl.replace(/\/+$/, '')}/`);
  const origin = URL.parse(shortUrl)?.origin;
  return origin !== undefined && origin === URL.parse(baseUrl)?.origin;
}
