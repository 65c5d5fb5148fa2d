import { isTitle } from '@terse/contract';
import { plainCell } from '@terse/contract/csv';
import { composedCode } from '../domain/links/short-codes.ts';
import type { Exclusion, Field, Format, Loss } from './formats/format.ts';
import type { Fields, Value } from './readers/import-file.ts';

/** How files write that there is nothing in a field, in lower case. */
const EMPTY_VALUES = new Set(['', '0', 'null', '\\n', 'never', '0000-00-00 00:00:00']);

/** A number below this counts seconds since 1970, one above it milliseconds: they meet in 1973 and in the year 5138. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Reads ISO 8601, what databases write (a space for the T, a zone of two digits or four, or none, which means UTC), and the time
 * since 1970. Milliseconds since the epoch, null for nothing, `invalid` for anything else.
 */
export function readInstant(text: string): number | 'invalid' | null {
  if (EMPTY_VALUES.has(text.toLowerCase())) return null;
  if (/^\d{6,15}(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return Math.trunc(number < MIN_MILLISECONDS ? number * 1000 : number);
  }
  const [, date, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text) ??
    [];
  if (!date) return 'invalid';
  const instant = Date.parse(`${date}T${time ?? '00:00'}${fullZone(zone.toUpperCase())}`);
  return Number.isNaN(instant) ? 'invalid' : instant;
}

/** The zone as ISO 8601 has it: `+01:00` for `+01` and `+0100`. */
function fullZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours ? `${hours}:${minutes}` : 'Z';
}

/** A link as a file has it, before any rule of Terse is applied. */
export interface SourceLink {
  /** Null where the file gives none, so that a new one is made; empty for a link of the bare domain. */
  code: string | null;
  /** The host of its short URL; null where the file does not say. */
  domain: string | null;
  url: string;
  title: string;
  createdAt: number | 'invalid' | null;
  expiresAt: number | 'invalid' | null;
  losses: Loss[];
  exclusion: Exclusion | null;
}

/** The longest name a host can have, in characters. */
const MAX_HOST_LENGTH = 253;

/** How files write “no” or “nothing”, in lower case. */
const NO_VALUES = new Set(['', '0', 'f', 'false', 'no', 'null', '\\n', '[]', '$0.00']);

/**
 * The links that a record stands for: several where it has several short URLs.
 *
 * @param isTable whether its values are cells of a table, where an apostrophe hides what would be a formula
 */
export function recordToLinks(fields: Fields, format: Format, isTable: boolean, now: number): SourceLink[] {
  const plain = (value: Value | undefined) => {
    const text = toText(value).trim();
    return isTable ? plainCell(text) : text;
  };
  /** The first of a field's names that holds something. */
  const first = (field: Field) => {
    for (const name of format.fields[field] ?? []) {
      const text = plain(fields.get(name));
      if (text !== '' && text !== '\\N') return text;
    }
    return '';
  };
  const holds = (name: string) => {
    if (hasValue(fields.get(name))) return true;
    for (const [key, value] of fields) if (key.startsWith(`${name}.`) && hasValue(value)) return true;
    return false;
  };
  const found = <Name extends string>(table: Partial<Record<Name, readonly string[]>> = {}) =>
    (Object.keys(table) as Name[]).filter((name) => table[name]?.some(holds));

  const losses = found(format.losses);
  const limit = Number(first('clickLimit').replaceAll(',', '')) || 0;
  if (limit > 0) losses.push('clickLimit');
  const title = first('title');
  if (!isTitle(title)) losses.push('titleEnd');
  const clicks = Number(first('clicks').replaceAll(',', '')) || 0;
  const validFrom = readInstant(first('validFrom'));
  const exclusion =
    found(format.exclusions)[0] ??
    (typeof validFrom === 'number' && validFrom > now ? 'notYet' : limit > 0 && clicks >= limit ? 'usedUp' : null);
  const link = {
    url: first('url'),
    title,
    createdAt: readInstant(first('createdAt')),
    expiresAt: readInstant(first('expiresAt')),
    losses,
    exclusion,
  };

  const shortUrls = [
    first('shortUrl'),
    ...(format.fields.everyShortUrl ?? []).flatMap((name) => toList(fields.get(name))).map(plain),
  ];
  const named = [...new Set(shortUrls)].map(splitShortUrl).filter((parts) => parts !== null);
  const domain = hostName(first('domain')) ?? named[0]?.domain ?? null;
  const rawCode = first('code');
  const code = trimSlashes(rawCode);
  const secret = first('secret');
  if (rawCode) return [{ ...link, code: secret ? `${code}/${secret}` : decodeCode(code), domain }];
  if (named.length === 0) return [{ ...link, code: null, domain }];
  return named.map((parts) => ({ ...link, ...parts }));
}

/** The domain and code of a short URL, which may lack its scheme, or be the code alone; null where there is none. */
function splitShortUrl(shortUrl: string): { domain: string | null; code: string } | null {
  if (/^[^/.:]+$/.test(shortUrl)) return { domain: null, code: decodeCode(shortUrl) };
  const url = parseAddress(shortUrl);
  return url && { domain: url.hostname, code: decodeCode(trimSlashes(url.pathname)) };
}

/** The host of a domain, which may be written as a whole address. Kutt's table only numbers its domains. */
function hostName(domain: string): string | null {
  if (domain === '') return null;
  return /^\d+$/.test(domain)
    ? `domain ${domain}`
    : (parseAddress(domain)?.hostname ?? domain.toLowerCase().slice(0, MAX_HOST_LENGTH));
}

function parseAddress(address: string): URL | null {
  if (address === '') return null;
  return URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
}

function trimSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** A code as its short URL's path holds it, with its letters unescaped. */
function decodeCode(path: string): string {
  try {
    return composedCode(decodeURIComponent(path));
  } catch {
    return path;
  }
}

function hasValue(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !NO_VALUES.has(toText(value).trim().toLowerCase());
}

function toList(value: Value | undefined): Value[] {
  return Array.isArray(value) ? (value as Value[]) : value === undefined ? [] : [value];
}

function toText(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
