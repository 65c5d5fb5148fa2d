import * as z from 'zod/mini';
import { DateTimeText, SHORT_CODE_PATTERN, TagList, TitleText } from './link-fields.ts';
import { LongUrl, ShortUrl } from './shorten.ts';

/** Maximum number of links in one batch request. Larger requests get the error `invalid_request`. */
export const BATCH_LIMIT = 100;

const FORWARD_QUERY = "True if the short URL adds the visitor's query parameters to the long URL.";
const TAGS = 'Tags, visible only to the owner. Tags that differ only in case count as one.';

/** Date and time in UTC with milliseconds, in the format of `Date.prototype.toISOString`. */
const Instant = z.iso.datetime().check(z.describe('UTC.'));

export const Link = z.object({
  shortCode: z.string().check(z.describe('Identifies the link on its domain, here and in its short URL.')),
  shortUrl: ShortUrl.check(z.describe('The whole short URL.')),
  domain: z
    .optional(z.string())
    .check(
      z.describe(
        'Domain of the short URL. Send it as the query parameter `domain` if it is not the default domain. Absent in services with one domain.',
      ),
    ),
  url: z
    .string()
    .check(
      z.describe('The long URL in the form of the WHATWG URL standard. The short URL redirects to exactly this URL.'),
    ),
  title: z.nullable(z.string()).check(z.describe('Visible only to the owner.')),
  createdAt: Instant,
  expiresAt: z
    .nullable(Instant)
    .check(z.describe('From this time on, the short URL answers 410. The link can still be read.')),
  clicks: z.int().check(z.nonnegative(), z.describe('Number of clicks by people, without known bots.')),
  importedClicks: z
    .optional(z.int().check(z.nonnegative()))
    .check(z.describe('Number of clicks that another service had counted before the link was imported.')),
  forwardQuery: z.optional(z.boolean()).check(z.describe(FORWARD_QUERY)),
  tags: z.optional(z.array(z.string())).check(z.describe('Tags in the order in which they were sent.')),
});
export type Link = z.infer<typeof Link>;

/**
 * Body of `POST /api/v1/urls`. Each link in a batch request has the same format. Null fields are treated as absent.
 */
export const CreateLinkRequest = z.object({
  url: LongUrl,
  shortCode: z
    .nullish(z.string().check(z.regex(SHORT_CODE_PATTERN)))
    .check(
      z.describe(
        'The chosen short code. It is never changed, except to lower case if the service ignores case. Without it, the service generates one.',
      ),
    ),
  domain: z
    .nullish(z.string())
    .check(z.describe('One of the domains that `GET /api` lists. Without it, the default domain is used.')),
  title: z.nullish(TitleText).check(z.describe('Visible only to the owner. Line breaks become spaces.')),
  expiresAt: z
    .nullish(DateTimeText)
    .check(z.describe('From this time on, the short URL answers 410. Must be in the future.')),
  forwardQuery: z
    .nullish(z.boolean())
    .check(z.describe(`${FORWARD_QUERY} If absent, the setting of the service applies.`)),
  tags: z.nullish(TagList).check(z.describe(TAGS)),
});
export type CreateLinkRequest = z.infer<typeof CreateLinkRequest>;

/** Body of `PATCH /api/v1/urls/{shortCode}`. Absent fields remain unchanged, and fields that are null are cleared. */
export const EditLinkRequest = z.object({
  url: z.optional(LongUrl),
  title: z
    .nullish(TitleText)
    .check(z.describe('Visible only to the owner. Line breaks become spaces. Null clears it.')),
  expiresAt: z
    .nullish(DateTimeText)
    .check(z.describe('From this time on, the short URL answers 410. Must be in the future. Null clears it.')),
  forwardQuery: z
    .nullish(z.boolean())
    .check(z.describe(`${FORWARD_QUERY} Null: the setting of the service applies again.`)),
  tags: z.nullish(TagList).check(z.describe(`${TAGS} They replace all tags of the link. Null clears them.`)),
});
export type EditLinkRequest = z.infer<typeof EditLinkRequest>;

/**
 * Body of `POST /api/v1/urls/batch`. This schema accepts any items, because the server validates each item
 * separately.
 */
export const BatchRequest = z.object({
  urls: z
    .array(z.unknown())
    .check(
      z.minLength(1),
      z.maxLength(BATCH_LIMIT),
      z.describe('Each link is validated separately. If one is refused, the others are still created.'),
    ),
});
export type BatchRequest = z.infer<typeof BatchRequest>;

/**
 * Result for one item of a batch request: the item's index in the request, the HTTP status, and either the link or an
 * error.
 */
export const BatchResult = z.union([
  z.object({ index: z.int(), status: z.literal(201), link: Link }),
  z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
]);
export type BatchResult = z.infer<typeof BatchResult>;

/**
 * Response of `POST /api/v1/urls/batch` with the status 207. The results are in the same order as the links in the
 * request.
 */
export const BatchAnswer = z.object({
  results: z.array(BatchResult).check(z.describe('One result per item, in the order sent.')),
});
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** Maximum and default number of links on one page. */
export const PAGE_LIMIT = 100;
const PAGE_DEFAULT = 25;

export const SEARCH_LIMIT = 200;

/** Query of `GET /api/v1/urls`. Numbers are sent as text. */
export const LinkListQuery = z.object({
  limit: z
    ._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(PAGE_LIMIT)), PAGE_DEFAULT)
    .check(z.describe('Maximum number of links per page.')),
  cursor: z
    .optional(z.string())
    .check(z.describe('The `nextCursor` of the previous page. It is opaque: do not interpret it.')),
  search: z
    .optional(z.string().check(z.maxLength(SEARCH_LIMIT)))
    .check(z.describe('Returns only links whose short code, title or URL contains this text. Case is ignored.')),
  domain: z
    .optional(z.string())
    .check(z.describe('Domain of the links. Default: the default domain of the service. `*`: all domains.')),
  /** An empty string is ignored. */
  tag: z
    .optional(z.string().check(z.trim(), z.regex(/^[^,]{0,50}$/u)))
    .check(z.describe('Returns only links with this tag. Case is ignored.')),
});
export type LinkListQuery = z.infer<typeof LinkListQuery>;

/** Response of `GET /api/v1/urls` with one page of links, newest first. */
export const LinkList = z.object({
  links: z
    .array(Link)
    .check(
      z.describe(
        'A search reads at most 20,000 links at a time, so any page can have fewer links than the limit, even none.',
      ),
    ),
  nextCursor: z.nullable(z.string()).check(z.describe('The `cursor` of the next page; null on the last page.')),
});
export type LinkList = z.infer<typeof LinkList>;
