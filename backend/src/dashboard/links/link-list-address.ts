import { SEARCH_LIMIT } from '@terse/contract';
import { isLinkCode, isReserved, isShortCode } from '../../domain/links/short-codes.ts';
import type { LinkOrder } from '../../store/interface/link-store.ts';
import type { PageContext } from '../page-definition.ts';

/** The query of the list of links. */
export interface ListQuery {
  search: string;
  order: LinkOrder;
  /** The code of the last link of the page before; null on the first page. */
  after: string | null;
  /** `after` of the previous pages, the latest last, as many as fit into the address. */
  earlier: string[];
  /** The number of the page, from 1. */
  page: number;
}

const ORDERS: readonly LinkOrder[] = ['newest', 'oldest', 'clicks'];

/** Maximum number of characters that earlier pages take in an address: a proxy may refuse a longer one. */
const EARLIER_LIMIT = 1000;

/** Reads the list's query. Nonsense is ignored: it can only come from an edited address. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const after = query.get('after') ?? '';
  const page = query.get('page') ?? '';
  const list: ListQuery = {
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_LIMIT),
    order: ORDERS.find((order) => order === query.get('order')) ?? 'newest',
    ...FIRST_PAGE,
  };
  if (!isLinkCode(after)) return list;
  const earlier = query.getAll('earlier').filter(isLinkCode);
  return { ...list, after, earlier, page: /^[1-9]\d{0,6}$/.test(page) ? Math.max(2, Number(page)) : 2 };
}

/** The query in an address of the list. */
export function queryOfList(address: string): ListQuery {
  return readListQuery(new URLSearchParams(address.split('?')[1] ?? ''));
}

const FIRST_PAGE = { after: null, earlier: [], page: 1 } as const satisfies Partial<ListQuery>;

export function firstPage(query: ListQuery): ListQuery {
  return { ...query, ...FIRST_PAGE };
}

/** @param last the code of the last link on the page that `query` shows */
export function nextPage(query: ListQuery, last: string): ListQuery {
  const earlier = query.after === null ? [] : [...query.earlier, query.after];
  while (encodeURIComponent(earlier.join()).length > EARLIER_LIMIT) earlier.shift();
  return { ...query, after: last, earlier, page: query.page + 1 };
}

/** Null on the first page, and if the address no longer holds the previous page. */
export function previousPage(query: ListQuery): ListQuery | null {
  if (query.page === 2) return firstPage(query);
  const after = query.earlier.at(-1);
  return after === undefined ? null : { ...query, after, earlier: query.earlier.slice(0, -1), page: query.page - 1 };
}

/** The address of the list for a query. */
export function listAddress(
  { search, order, after, earlier, page }: ListQuery,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(order !== 'newest' && { order }),
    ...(after && { after, page: String(page) }),
    ...more,
  });
  if (after) for (const code of earlier) query.append('earlier', code);
  return query.size > 0 ? `/links?${query}` : '/links';
}

/**
 * The address of a link's page. An imported code may hold slashes, or be called as another page is (`import`): it is led by
 * an escaped slash, which no code begins with.
 */
export function linkAddress(code: string): string {
  return `/links/${isShortCode(code) && !isReserved(code) ? code : `%2F${encodeURIComponent(code)}`}`;
}

/** The code in the address of a link's page; null where it cannot be one. */
export function codeInAddress(context: PageContext): string | null {
  const code = (context.req.param('code') ?? '').replace(/^\//, '');
  return isLinkCode(code) ? code : null;
}
