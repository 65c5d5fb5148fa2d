import type { ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock-and-random.ts';
import { NO_CONTENT_POLICY } from './api-error.ts';

/** Returns the content of a file, such as `/robots.txt`, by its path. Returns null if there is no such file. */
export type HostFile = (path: string) => string | null;

/**
 * Headers of `robots.txt` and `security.txt`. Caches keep these files for at most one hour, so that operators can
 * correct mistakes quickly.
 */
export const HOST_FILE_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_CONTENT_POLICY,
  'Cache-Control': 'max-age=3600',
};

export const HOST_FILE_PATHS = ['/robots.txt', '/.well-known/security.txt'] as const;

/**
 * Creates the function that returns the files of one host. An expired `security.txt` is omitted, because clients must
 * not use it (RFC 9116, section 2.5.5).
 */
export function createHostFiles(files: { robots: string; security: SecurityTxt | null }, clock: Clock): HostFile {
  const [robots, security] = HOST_FILE_PATHS;
  return (path) => {
    if (path === robots) return files.robots;
    if (path !== security || !files.security) return null;
    return clock() < files.security.expiresAt ? files.security.text : null;
  };
}

export function sendHostFile(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { ...HOST_FILE_HEADERS, 'Content-Length': body.byteLength });
  response.end(body);
}

export interface SecurityTxt {
  text: string;
  expiresAt: number;
}

/** Date and time in the format of RFC 3339, which RFC 9116 requires. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Parses a `security.txt` file, which may be signed (RFC 9116). The file must contain exactly one `Expires` and at
 * least one `Contact`. Each `Contact` must be a valid URL.
 */
export function parseSecurityTxt(text: string): { securityTxt: SecurityTxt } | { problems: string[] } {
  const fields = fieldsOf(text);
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const contacts = valuesOf('contact');
  const expiries = valuesOf('expires');
  const expiresAt = INSTANT.test(expiries[0] ?? '') ? Date.parse(expiries[0] as string) : Number.NaN;
  const problems: string[] = [];
  if (contacts.length === 0) problems.push('has no Contact, such as "Contact: mailto:security@example.com".');
  for (const contact of contacts) {
    if (!isContact(contact)) problems.push(`has the Contact "${contact}", which is not a mailto:, tel: or https: URL.`);
  }
  if (expiries.length !== 1) problems.push('must have exactly one Expires, such as "Expires: 2027-06-30T00:00:00Z".');
  else if (Number.isNaN(expiresAt)) {
    problems.push(`has the Expires "${expiries[0]}", which is not a date such as 2027-06-30T00:00:00Z.`);
  }
  if (valuesOf('preferred-languages').length > 1) problems.push('must have at most one Preferred-Languages.');
  return problems.length > 0 ? { problems } : { securityTxt: { text, expiresAt } };
}

function fieldsOf(text: string): { name: string; value: string }[] {
  return signedPart(text)
    .split(/\r?\n/)
    .map((line) => /^([A-Za-z0-9-]+):[ \t]*(.*?)[ \t]*$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', value = '']) => ({ name: name.toLowerCase(), value }));
}

/** Returns the text without its OpenPGP signature (RFC 9580, section 7). */
function signedPart(text: string): string {
  const [, signed] =
    /^-----BEGIN PGP SIGNED MESSAGE-----\r?\n[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n-----BEGIN PGP SIGNATURE-----/.exec(
      text,
    ) ?? [];
  return (signed ?? text).replace(/^- /gm, '');
}

function isContact(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['mailto:', 'tel:', 'https:'].includes(url.protocol) && url.href.length > url.protocol.length;
}
