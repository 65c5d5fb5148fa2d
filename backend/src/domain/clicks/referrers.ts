import { OTHER, UNKNOWN } from './names.ts';

/** As much of a Referer as is kept while its click waits to be counted, in characters: a host name has at most 253. */
export const REFERRER_LIMIT = 300;

/** A name on the public internet, or an IPv6 address in brackets, as the WHATWG parser writes them. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|\[[0-9a-f:]+\])$/;

/** The part of a Referer that may tell its host. Path and query are left behind at once: they are the visitor's affair. */
export function referrerOrigin(header: string): string {
  const authority = header.indexOf('//') + 2;
  const path = authority === 1 ? -1 : header.indexOf('/', authority);
  return header.slice(0, path === -1 ? REFERRER_LIMIT : Math.min(path, REFERRER_LIMIT));
}

/** The host a click came from: in small letters, without `www.`, port or user info; `other` where it is no public one. */
export function referrerHost(origin: string): string {
  if (origin === '') return UNKNOWN;
  const host =
    URL.parse(origin)
      ?.hostname.replace(/\.$/, '')
      .replace(/^www\./, '') ?? '';
  return HOST.test(host) ? host : OTHER;
}
