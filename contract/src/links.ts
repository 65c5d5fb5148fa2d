import * as z from 'zod/mini';
import { DateTimeText, SHORT_CODE_PATTERN, TAG_LENGTH_LIMIT, TagList, TitleText } from './link-fields.ts';
import { ShortUrl } from './shorten.ts';

/** Maximum number of links in one batch request. Larger requests get the error `invalid_request`. */
export const BATCH_LIMIT = 100;

/** Date and time in UTC with milliseconds, in the format of `Date.prototype.toISOString`. */
const Instant = z.iso.datetime();

export const Link = z.object({
  shortCode: z.string(),
  shortUrl: ShortUrl,
  /** Domain of the short URL. Services that support only one domain omit it. */
  domain: z.optional(z.string()),
  url: z.string(),
  title: z.nullable(z.string()),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
  /** Clicks that this service has counted. */
  clicks: z.int().check(z.nonnegative()),
  /** Clicks that another service had counted before the link was imported. */
  importedClicks: z.optional(z.int().check(z.nonnegative())),
  /** True if redirects add the visitor's query parameters to the long URL. */
  forwardQuery: z.optional(z.boolean()),
  tags: z.optional(z.array(z.string())),
});
export type Link = z.infer<typeof Link>;

/**
 * Body of `POST /api/v1/urls`. Each link in a batch request has the same format. Null fields are treated as absent.
 */
export const CreateLinkRequest = z.object({
  url: z.string(),
  shortCode: z.nullish(z.string().check(z.regex(SHORT_CODE_PATTERN))),
  /** Name of one of the service's domains. If absent, the default domain is used. */
  domain: z.nullish(z.string()),
  title: z.nullish(TitleText),
  expiresAt: z.nullish(DateTimeText),
  /** If absent, the service's default applies. */
  forwardQuery: z.nullish(z.boolean()),
  tags: z.nullish(TagList),
});
export type CreateLinkRequest = z.infer<typeof CreateLinkRequest>;

/** Body of `PATCH /api/v1/urls/{shortCode}`. Absent fields remain unchanged, and fields that are null are cleared. */
export const EditLinkRequest = z.object({
  url: z.optional(z.string()),
  title: z.nullish(TitleText),
  expiresAt: z.nullish(DateTimeText),
  /** If null, the service's default applies again. */
  forwardQuery: z.nullish(z.boolean()),
  /** These tags replace all tags of the link. */
  tags: z.nullish(TagList),
});
export type EditLinkRequest = z.infer<typeof EditLinkRequest>;

/**
 * Body of `POST /api/v1/urls/batch`. This schema accepts any items, because the server validates each item
 * separately.
 */
export const BatchRequest = z.object({
  urls: z.array(z.unknown()).check(z.minLength(1), z.maxLength(BATCH_LIMIT)),
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
export const BatchAnswer = z.object({ results: z.array(BatchResult) });
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** Maximum and default number of links on one page. */
export const PAGE_LIMIT = 100;
const PAGE_DEFAULT = 25;

export const SEARCH_LIMIT = 200;

/** Query of `GET /api/v1/urls`. Numbers are sent as text. */
export const LinkListQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(PAGE_LIMIT)), PAGE_DEFAULT),
  /** Value of `nextCursor` from the previous page. Clients must not interpret this value. */
  cursor: z.optional(z.string()),
  /** Text to find in short codes, titles and URLs. The search is not case-sensitive. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_LIMIT))),
  /** Name of the domain whose links are listed, or `*` for all domains. If absent, the default domain is used. */
  domain: z.optional(z.string()),
  /** A tag that the links must have. The filter is not case-sensitive. An empty string is ignored. */
  tag: z.optional(z.string().check(z.trim(), z.regex(/^[^,]*$/), z.maxLength(TAG_LENGTH_LIMIT))),
});
export type LinkListQuery = z.infer<typeof LinkListQuery>;

/**
 * Response of `GET /api/v1/urls` with one page of links, newest first. `nextCursor` is null only on the last page.
 * Earlier pages can also have fewer links than the limit.
 */
export const LinkList = z.object({
  links: z.array(Link),
  nextCursor: z.nullable(z.string()),
});
export type LinkList = z.infer<typeof LinkList>;
