import { isTitle, parseDateTime, TAGS_LIMIT, TITLE_LIMIT } from '@terse/contract';
import { plainCell } from '@terse/contract/csv';
import { type LinkRules, normalizeTags, RESERVED_CODE, tagKey, type ValidLink } from '../domain/links/link-rules.ts';
import { composedCode, domainAt, importedCodeError } from '../domain/links/short-codes.ts';
import { validateLinkForm } from '../domain/links/validate-link-form.ts';
import { EXCLUDING_FIELDS, EXCLUSIONS, type Exclusion, type Field, type Format } from './formats.ts';
import { type Fields, type FileRecord, quote, toFields, type Value } from './read-records.ts';

/** Lowercase texts that mean “no” or “empty”. */
const NO_VALUES = new Set(['', '0', 'f', 'false', 'no', 'null', '\\n', '[]', '$0.00']);

/** Texts that PostgreSQL and MySQL write for an empty cell. */
const DATABASE_NULLS = new Set(['\\N', 'NULL']);

const MAX_HOST_LENGTH = 253;

/** Link in a file, before validation. */
export interface SourceLink {
  /**
   * Short code of the link. Null if the file does not contain the short code. Empty if the short URL is the domain
   * alone.
   */
  code: string | null;
  /** Host of the short URL. Null if the file does not contain the host. */
  domain: string | null;
  url: string;
  title: string;
  createdAt: number | 'invalid' | null;
  expiresAt: number | 'invalid' | null;
  /** Number of clicks that the exporting service has counted. */
  clicks: number;
  /** Tags of the link. Tags that cannot be imported are left out. */
  tags: string[];
  /**
   * True if redirects add the visitor's query parameters to the long URL. Null if the file does not contain this
   * setting.
   */
  forwardQuery: boolean | null;
  exclusion: Exclusion | null;
}

export interface ImportRules extends LinkRules {
  /** True if reserved words are accepted as short codes. */
  mayUseReserved: boolean;
}

/**
 * Link in a file at a position. Contains the link to create, or the reason why it is refused. `source` is absent if the
 * row could not be read.
 */
export type FileLink = { at: number; subject: string; source?: SourceLink } & ReturnType<typeof validateSourceLink>;

/**
 * Returns the links of a record, one for each short URL in the record.
 *
 * @param isTable true if the values are table cells; apostrophes before formulas are removed from table cells
 */
export function recordToLinks(
  record: FileRecord,
  format: Format,
  isTable: boolean,
  rules: ImportRules,
  now: number,
): FileLink[] {
  if ('problem' in record) return [{ ...record, subject: quote(record.subject) }];
  return readLinks(record.fields, format, isTable, now).map((source) => ({
    at: record.at,
    subject: quote(source.code || source.url),
    source,
    ...validateSourceLink(source, rules, now),
  }));
}

function readLinks(fields: Fields, format: Format, isTable: boolean, now: number): SourceLink[] {
  const plain = (value: Value | undefined) => {
    const text = toText(value).trim();
    return isTable ? plainCell(text) : text;
  };
  /** Returns the first value that is not empty, because a file can contain several columns for the same data. */
  const textIn = (field: Field) => {
    for (const name of format.fields[field]) {
      const text = plain(fields.get(name));
      if (text !== '' && (format.hasPlainValues || !DATABASE_NULLS.has(text))) return text;
    }
    return '';
  };
  const dateIn = (field: Field) => readDate(textIn(field));
  const isSet = (name: string) => {
    if (hasValue(fields.get(name))) return true;
    for (const [key, value] of fields) if (key.startsWith(`${name}.`) && hasValue(value)) return true;
    return false;
  };
  const exclusions = Object.keys(EXCLUDING_FIELDS) as (keyof typeof EXCLUDING_FIELDS)[];

  const limit = Number(textIn('clickLimit').replaceAll(',', '')) || 0;
  const clicks = readCount(textIn('clicks')) + readCount(textIn('importedClicks'));
  const named = format.fields.tags.flatMap((name) => tagTexts(fields.get(name), format));
  const forwardQuery = textIn('forwardQuery').toLowerCase();
  const exclusion =
    exclusions.find((name) => EXCLUDING_FIELDS[name]?.some(isSet)) ??
    startExclusion(dateIn('validFrom'), now) ??
    (limit > 0 && clicks >= limit ? 'usedUp' : null);
  const link = {
    url: textIn('url'),
    title: textIn('title'),
    createdAt: dateIn('createdAt'),
    expiresAt: dateIn('expiresAt'),
    clicks,
    tags: importableTags(named.map(plain)),
    forwardQuery: forwardQuery === '' ? null : !NO_VALUES.has(forwardQuery),
    exclusion,
  };

  const shortUrls = format.fields.shortUrls.flatMap((name) => toList(fields.get(name))).map(plain);
  const codes = [...new Set(shortUrls)].map(splitShortUrl).filter((parts) => parts !== null);
  const domain = hostName(textIn('domain')) ?? codes[0]?.domain ?? null;
  const rawCode = textIn('code');
  const code = trimSlashes(rawCode);
  const secret = textIn('secret');
  if (rawCode) return [{ ...link, code: secret ? `${code}/${secret}` : decodeCode(code), domain }];
  if (codes.length === 0) return [{ ...link, code: null, domain }];
  // A record with several short URLs has only one click count, so the count is assigned to the first link.
  return codes.map((parts, index) => ({ ...link, ...parts, clicks: index === 0 ? clicks : 0 }));
}

/** Lowercase texts that mean “no date”. */
const NO_DATES = new Set(['', '0', 'null', '\\n', 'never', '0000-00-00', '0000-00-00 00:00:00']);

/** Matches a date, which a time and a time zone can follow. */
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?(?: ?(?:Z|UTC))?(?: ?([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * Smallest number that is read as milliseconds since 1970. Smaller numbers are read as seconds. Dates between 1973
 * and 5138 are read correctly in both units.
 */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Reads a date, or a date and time. Dates without a time zone are in UTC. Returns milliseconds since 1970, or null if
 * the text means “no date”.
 */
function readDate(text: string): number | 'invalid' | null {
  if (NO_DATES.has(text.toLowerCase())) return null;
  const [, date, time = '00:00', seconds = ':00', hours = '+00', minutes = '00'] = DATE.exec(text) ?? [];
  if (date) return parseDateTime(`${date}T${time}${seconds}${hours}:${minutes}`) ?? 'invalid';
  if (!/^\d{9,13}(\.\d+)?$/.test(text)) return 'invalid';
  const number = Number(text);
  return Math.trunc(number < MIN_MILLISECONDS ? number * 1000 : number);
}

function startExclusion(validFrom: number | 'invalid' | null, now: number): Exclusion | null {
  if (validFrom === 'invalid') return 'unclearStart';
  return validFrom !== null && validFrom > now ? 'notYet' : null;
}

function readCount(text: string): number {
  const count = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/**
 * Returns the tags in a field. The field contains a list of names, a list of objects with names, or a string. In a
 * string, commas or vertical bars separate the tags; in Terse's own format, only commas do.
 */
function tagTexts(value: Value | undefined, { hasPlainValues }: Format): Value[] {
  if (Array.isArray(value)) {
    const names = value.map((item) => (toFields(item)?.get('name') ?? item) as Value);
    return names.flatMap((name) => toText(name).split(','));
  }
  const text = toText(value);
  if (hasPlainValues) return text.split(',');
  return hasValue(value) ? text.split(text.includes(',') ? ',' : '|') : [];
}

/** Omits tags that are too long, and tags beyond the maximum number. */
function importableTags(texts: readonly string[]): string[] {
  const valid = texts.filter((text) => normalizeTags([text]) !== 'invalid');
  const kept = new Set([...new Set(valid.map(tagKey))].slice(0, TAGS_LIMIT));
  return normalizeTags(valid.filter((text) => kept.has(tagKey(text)))) as string[];
}

/**
 * Splits a short URL into its domain and its short code. Also accepts a URL without a scheme, or a short code alone.
 * Returns null if the text is empty.
 */
function splitShortUrl(shortUrl: string): { domain: string | null; code: string } | null {
  if (/^[^/.:]+$/.test(shortUrl)) return { domain: null, code: decodeCode(shortUrl) };
  const url = parseAddress(shortUrl);
  return url && { domain: url.hostname, code: decodeCode(trimSlashes(url.pathname)) };
}

/**
 * Returns the host name of a domain or URL. Kutt's database contains numbers instead of domain names. The number 7
 * becomes `domain 7`.
 */
function hostName(domain: string): string | null {
  if (domain === '') return null;
  return /^\d+$/.test(domain)
    ? `domain ${domain}`
    : (parseAddress(domain)?.hostname ?? domain.toLowerCase().slice(0, MAX_HOST_LENGTH));
}

function parseAddress(address: string): URL | null {
  return URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
}

function trimSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

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

const NO_URL = 'This link has no long URL in the file.';
const BARE_DOMAIN =
  'This link is for the bare domain, without a short code. The owner of this server can redirect the bare domain with TERSE_HOME_URL.';
const MALFORMED_CODE =
  'This short code cannot be used in a URL: it has more than 255 characters, a space, an invisible control character, a part that is empty, “.” or “..”, or one of ? # % \\.';

/**
 * Validates a link from a file. Returns the link to create, or the reason why the link is refused.
 *
 * Accepts expired links and shortens long titles, because published short URLs would stop working if such links were
 * refused.
 */
function validateSourceLink(
  link: SourceLink,
  rules: ImportRules,
  now: number,
): { link: ValidLink & { createdAt: number; importedClicks: number } } | { problem: string } {
  if (link.exclusion) return { problem: EXCLUSIONS[link.exclusion] };
  if (link.code === '') return { problem: BARE_DOMAIN };
  if (link.url === '') return { problem: NO_URL };
  if (link.code !== null && importedCodeError(link.code, true) === 'malformed') return { problem: MALFORMED_CODE };
  const { url, code, createdAt, expiresAt, tags, forwardQuery, clicks: importedClicks } = link;
  const title = isTitle(link.title) ? link.title : [...link.title].slice(0, TITLE_LIMIT).join('');
  const domain = domainAt(link.domain, rules.shortBaseUrls);
  const codeProblem = (text: string) => (importedCodeError(text, rules.mayUseReserved) ? RESERVED_CODE : null);
  const validated = validateLinkForm(
    { url, code: code ?? '', domain, title, expiresAt, tags, forwardQuery },
    { ...rules, codeProblem },
    null,
  );
  if ('problems' in validated) return { problem: Object.values(validated.problems).join(' ') };
  const isPast = typeof createdAt === 'number' && createdAt > 0 && createdAt <= now;
  return { link: { ...validated.link, createdAt: isPast ? createdAt : now, importedClicks } };
}
