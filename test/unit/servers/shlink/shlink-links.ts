import type { FakeLink } from '../conformance/fake-server.ts';

/** A short URL as Shlink stores it. Times are in milliseconds, rounded down to seconds. Its clicks exclude bots. */
export interface ShlinkLink extends FakeLink {
  /** API key with which the link was created. */
  author: string;
  tags: string[];
  createdAt: number;
  validSince: number | null;
  maxVisits: number | null;
  bots: number;
}

/** API key with the roles that restrict it. */
export interface ShlinkKey {
  key: string;
  /** True if the key sees only links that were created with it. */
  isAuthorOnly?: boolean;
  /** The only domain that the key can use. */
  domain?: string;
}

/** Fields of a create. A null code means that the server chooses one. */
export interface ShlinkFields
  extends Pick<ShlinkLink, 'url' | 'domain' | 'title' | 'tags' | 'validSince' | 'expiresAt' | 'maxVisits'> {
  shortCode: string | null;
  findIfExists: boolean;
}

/** Maximum length of a title in bytes, not characters. */
const MAX_TITLE_BYTES = 512;

/** Thrown for fields that Shlink refuses. `elements` are the names in `invalidElements`. */
export class InvalidData extends Error {
  readonly elements: string[];
  constructor(...elements: string[]) {
    super('Provided data is not valid');
    this.elements = elements;
  }
}

const CREATE_FIELDS = new Set([
  'longUrl',
  'validSince',
  'validUntil',
  'shortUrlMode',
  'multiSegmentSlugsEnabled',
  'customSlug',
  'pathPrefix',
  'maxVisits',
  'findIfExists',
  'domain',
  'shortCodeLength',
  'tags',
  'title',
  'titleWasAutoResolved',
  'crawlable',
  'forwardQuery',
]);

const EDIT_FIELDS = new Set([
  'longUrl',
  'validSince',
  'validUntil',
  'maxVisits',
  'tags',
  'title',
  'titleWasAutoResolved',
  'crawlable',
  'forwardQuery',
]);

/** Reads the body of a create. Shlink refuses fields that it does not know. */
export function readCreate(
  body: Record<string, unknown>,
  { isLoose, isMultiSegment }: { isLoose: boolean; isMultiSegment: boolean },
): ShlinkFields {
  refuseOtherFields(body, CREATE_FIELDS);
  const slug = readText(body, 'customSlug');
  return {
    url: readUrl(body) ?? invalid('longUrl'),
    shortCode: slug === null ? null : normalizeSlug(isLoose ? slug.toLowerCase() : slug, isMultiSegment),
    domain: readDomain(body),
    title: readTitle(body),
    tags: readTags(body) ?? [],
    validSince: readDate(body, 'validSince'),
    expiresAt: readDate(body, 'validUntil'),
    maxVisits: readInteger(body, 'maxVisits'),
    findIfExists: body.findIfExists === true || body.findIfExists === 'true',
  };
}

/** Reads the body of an edit. Fields that were not sent are absent, and null clears a field. */
export function readEdit(body: Record<string, unknown>): Partial<ShlinkLink> {
  refuseOtherFields(body, EDIT_FIELDS);
  const url = readUrl(body);
  const tags = readTags(body);
  return {
    ...(url !== null && { url }),
    ...(tags && { tags }),
    ...('title' in body && { title: readTitle(body) }),
    ...('validSince' in body && { validSince: readDate(body, 'validSince') }),
    ...('validUntil' in body && { expiresAt: readDate(body, 'validUntil') }),
    ...('maxVisits' in body && { maxVisits: readInteger(body, 'maxVisits') }),
  };
}

/** True if the key may see the link. */
export function isVisible(link: ShlinkLink, key: ShlinkKey): boolean {
  return (!key.isAuthorOnly || link.author === key.key) && (!key.domain || link.domain === key.domain);
}

/**
 * Returns the oldest link that `findIfExists` matches. Only fields that were sent are compared, so a link on another
 * domain matches if the request names no domain.
 */
export function findMatching(
  links: readonly ShlinkLink[],
  fields: ShlinkFields,
  key: ShlinkKey,
): ShlinkLink | undefined {
  const { shortCode, domain, validSince, expiresAt, maxVisits, tags } = fields;
  return links.find(
    (link) =>
      isVisible(link, key) &&
      link.url === fields.url &&
      (shortCode === null || link.shortCode === shortCode) &&
      (domain === null || link.domain === domain) &&
      (validSince === null || link.validSince === validSince) &&
      (expiresAt === null || link.expiresAt === expiresAt) &&
      (maxVisits === null || link.maxVisits === maxVisits) &&
      (tags.length === 0 || (tags.length === link.tags.length && tags.every((tag) => link.tags.includes(tag)))),
  );
}

/** Filters, sorts and cuts a list of links as its query asks. */
export function readPage(links: readonly ShlinkLink[], query: URLSearchParams) {
  const currentPage = Number(query.get('page') ?? 1);
  const asked = Number(query.get('itemsPerPage') ?? 10);
  if (!Number.isInteger(currentPage) || currentPage < 1) invalid('page');
  if (!Number.isInteger(asked) || (asked < 1 && asked !== -1)) invalid('itemsPerPage');
  const term = query.get('searchTerm')?.toLowerCase() ?? '';
  const found = links.filter(({ url, shortCode, title, domain, tags }) =>
    [url, shortCode, title, domain, ...tags].some((text) => text?.toLowerCase().includes(term)),
  );
  const [field, direction] = (query.get('orderBy') ?? 'dateCreated-DESC').split('-');
  const sorted = found.toSorted((a, b) =>
    field === 'shortCode' ? a.shortCode.localeCompare(b.shortCode) : a.createdAt - b.createdAt,
  );
  if (direction === 'DESC') sorted.reverse();
  const itemsPerPage = asked === -1 ? Math.max(found.length, 1) : asked;
  const pagesCount = Math.max(Math.ceil(found.length / itemsPerPage), 1);
  // Shlink does not handle this error.
  if (currentPage > pagesCount) throw new Error(`Page "${currentPage}" does not exist.`);
  const data = sorted.slice((currentPage - 1) * itemsPerPage, currentPage * itemsPerPage);
  const counts = { itemsPerPage, itemsInCurrentPage: data.length, totalItems: found.length };
  return { data, pagination: { currentPage, pagesCount, ...counts } };
}

/** True if visitors are redirected: the link is in its period and below its maximum number of visits. */
export function isEnabled({ maxVisits, clicks, bots, validSince, expiresAt }: ShlinkLink, now: number): boolean {
  if (maxVisits !== null && clicks + bots >= maxVisits) return false;
  return !(validSince !== null && validSince > now) && !(expiresAt !== null && expiresAt < now);
}

export function toAtom(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
}

function invalid(...elements: string[]): never {
  throw new InvalidData(...elements);
}

function refuseOtherFields(body: Record<string, unknown>, known: Set<string>): void {
  if (Object.keys(body).some((field) => !known.has(field))) invalid('');
}

/** Reads a text as Shlink does with all texts: HTML tags are removed. */
function readText(body: Record<string, unknown>, field: string): string | null {
  const value = body[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') invalid(field);
  return stripTags(String(value));
}

function stripTags(text: string): string {
  return text.replace(/<(?!\s)[^>]*(>|$)/g, '').trim();
}

function readUrl(body: Record<string, unknown>): string | null {
  const url = readText(body, 'longUrl');
  if (url !== null && !/(.+):(.+)/i.test(url)) invalid('longUrl');
  return url;
}

/** A character at the limit is cut in the middle, as `substr` of PHP does. */
function readTitle(body: Record<string, unknown>): string | null {
  const title = readText(body, 'title');
  return title === null ? null : Buffer.from(title).subarray(0, MAX_TITLE_BYTES).toString();
}

function readDomain(body: Record<string, unknown>): string | null {
  const domain = readText(body, 'domain');
  if (domain === null) return null;
  const [host = '', port, ...more] = domain.split(':');
  const isHost = host === 'localhost' || /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/i.test(host);
  const isPort = port === undefined || (/^[1-9]\d*$/.test(port) && Number(port) <= 65_535);
  return isHost && isPort && more.length === 0 ? domain : invalid('domain');
}

function readTags(body: Record<string, unknown>): string[] | null {
  if (body.tags === undefined || body.tags === null) return null;
  if (!Array.isArray(body.tags)) invalid('tags');
  const tags = (body.tags as unknown[]).map((tag) => stripTags(String(tag)).toLowerCase().replaceAll(' ', '-'));
  return [...new Set(tags)];
}

function readInteger(body: Record<string, unknown>, field: string): number | null {
  const value = body[field] ?? null;
  if (value === null) return null;
  return /^-?\d+$/.test(String(value)) ? Number(value) : invalid(field);
}

/** A date that PHP cannot parse is not a validation error but an internal one. */
function readDate(body: Record<string, unknown>, field: string): number | null {
  const text = readText(body, field);
  if (text === null) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`Failed to parse ${text}`);
  return Math.floor(time / 1000) * 1000;
}

function normalizeSlug(slug: string, isMultiSegment: boolean): string {
  const normal = isMultiSegment ? slug.replaceAll(' ', '-').replace(/^\/+|\/+$/g, '') : slug.replace(/[ /]/g, '-');
  return /[:?#[\]@]/.test(normal) ? invalid('') : normal;
}
