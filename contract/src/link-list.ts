import * as z from 'zod/mini';
import { Link } from './link.ts';

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
