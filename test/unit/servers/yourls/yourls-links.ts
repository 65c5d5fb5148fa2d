import { domainToUnicode } from 'node:url';
import type { FakeLink } from '../conformance/fake-server.ts';

export interface YourlsLink extends FakeLink {
  /** Time in milliseconds. */
  createdAt: number;
}

/** Columns of the database are limited, and a longer value makes the insertion fail. */
const MAX_LENGTH = { code: 100, url: 65_535 };

const CHARACTERS = { 36: /[^0-9a-z]/g, 62: /[^0-9a-zA-Z]/g };

/** Names of the server's own folders, in addition to the reserved words of its configuration. */
const FOLDERS = ['', 'admin', 'css', 'images', 'includes', 'js', 'tests', 'user'];

const REFUSED_SCHEME = /^(javascript|data|vbscript):/i;

/**
 * Removes the parts of a URL that YOURLS removes without a message. Returns an empty text if the scheme is refused.
 */
export function sanitizeUrl(sent: string): string {
  const kept = sent.trim().replace(/[\s<>"\\{}^`]/g, '');
  if (REFUSED_SCHEME.test(kept)) return '';
  const [, scheme, user = '', host = '', rest = ''] = /^(\w+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s.exec(kept) ?? [];
  if (scheme === undefined) return kept;
  const [name = '', port] = host.toLowerCase().split(':');
  const shownHost = (name.includes('xn--') ? domainToUnicode(name) : name) + (port === undefined ? '' : `:${port}`);
  return scheme.toLowerCase() + user + shownHost + rest.replace(/^([^#]*)#$/, '$1').replace(/^([^?#]*)\?(?=#|$)/, '$1');
}

/** Removes the characters that codes must not have, without a message. */
export function sanitizeCode(sent: string, base: 36 | 62): string {
  return sent.replace(CHARACTERS[base], '').slice(0, 199);
}

export function sanitizeTitle(sent: string): string {
  return sent
    .replace(/<[^>]*>/g, '')
    .trim()
    .replace(/\s+/g, ' ');
}

export function isReserved(code: string): boolean {
  return FOLDERS.includes(code) || code === 'reserved';
}

/** Message of the database if it cannot store the link. Null if it can. */
export function databaseError(code: string, url: string, links: readonly YourlsLink[]): string | null {
  const tooLong = code.length > MAX_LENGTH.code ? 'keyword' : url.length > MAX_LENGTH.url ? 'url' : null;
  if (tooLong)
    return `SQLSTATE[22001]: String data, right truncated: 1406 Data too long for column '${tooLong}' at row 1`;
  if (links.some((link) => link.shortCode === code))
    return `SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '${code}' for key 'PRIMARY'`;
  return null;
}

/** Time in UTC without a time zone. */
export function toSqlTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
