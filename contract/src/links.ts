import * as z from 'zod/mini';
import { DateTimeText, SHORT_CODE_PATTERN, TitleText } from './link-fields.ts';
import { ShortUrl } from './shorten.ts';

/** The most links one batch may ask for; more is `invalid_request`. */
export const BATCH_LIMIT = 100;

/** Instants travel as ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes them. */
const Instant = z.iso.datetime();

/** A link as the `/api/v1` family answers it. */
export const Link = z.object({
  shortCode: z.string(),
  shortUrl: ShortUrl,
  url: z.string(),
  title: z.nullable(z.string()),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
  clicks: z.int().check(z.nonnegative()),
});
export type Link = z.infer<typeof Link>;

/** Body of `POST /api/v1/urls`, and one item of a batch. Null is as good as absent. */
export const CreateLinkRequest = z.object({
  url: z.string(),
  shortCode: z.nullish(z.string().check(z.regex(SHORT_CODE_PATTERN))),
  title: z.nullish(TitleText),
  expiresAt: z.nullish(DateTimeText),
});
export type CreateLinkRequest = z.infer<typeof CreateLinkRequest>;

/** Body of `PATCH /api/v1/urls/{shortCode}`. What is absent stays as it is; null clears. */
export const EditLinkRequest = z.object({
  url: z.optional(z.string()),
  title: z.nullish(TitleText),
  expiresAt: z.nullish(DateTimeText),
});
export type EditLinkRequest = z.infer<typeof EditLinkRequest>;

/** Body of `POST /api/v1/urls/batch`. Items are validated one by one, so an item of any shape passes here. */
export const BatchRequest = z.object({
  urls: z.array(z.unknown()).check(z.minLength(1), z.maxLength(BATCH_LIMIT)),
});
export type BatchRequest = z.infer<typeof BatchRequest>;

/** One item's outcome: its index in the request, its own HTTP status, and the link or the error. */
export const BatchResult = z.union([
  z.object({ index: z.int(), status: z.literal(201), link: Link }),
  z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
]);
export type BatchResult = z.infer<typeof BatchResult>;

/** Answer of `POST /api/v1/urls/batch`, HTTP 207; results stand in the order sent. */
export const BatchAnswer = z.object({ results: z.array(BatchResult) });
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** The most links one page holds, and how many it holds unless asked otherwise. */
export const PAGE_LIMIT = 100;
const PAGE_STANDARD = 25;

/** The longest text one can search for, in characters. */
export const SEARCH_LIMIT = 200;

/** Query of `GET /api/v1/urls`, as the text that a query is. */
export const LinkListQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(PAGE_LIMIT)), PAGE_STANDARD),
  /** The `nextCursor` of the page before; opaque. */
  cursor: z.optional(z.string()),
  /** Looked for in code, title and url, without regard to case. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_LIMIT))),
});
export type LinkListQuery = z.infer<typeof LinkListQuery>;

/**
 * Answer of `GET /api/v1/urls`: one page, newest first. The last page's `nextCursor` is null; a page can hold fewer
 * links than the limit and still not be the last.
 */
export const LinkList = z.object({
  links: z.array(Link),
  nextCursor: z.nullable(z.string()),
});
export type LinkList = z.infer<typeof LinkList>;
