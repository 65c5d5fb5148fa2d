import { asciiHost, SEARCH_LIMIT, TAG_LENGTH_LIMIT } from '@terse/contract';
import { isStoredCode } from '../../domain/links/short-codes.ts';
import type { LinkOrder } from '../../store/sql/link-rows.ts';
import type { Form } from '../components/forms.ts';

/** Search text, domain, tag, sort order and page of a list of links. */
export interface ListQuery {
  search: string;
  /** Name of the domain whose links are listed. Empty for all domains. */
  domain: string;
  /** Tag that the links must have. If empty, the list is not filtered by tag. */
  tag: string;
  order: LinkOrder;
  /** Short code of the previous page's last link, or null on the first page. */
  after: string | null;
  /** Last short code of each earlier page. These codes are needed to go back page by page. */
  earlier: string[];
  /** Page number, starting at 1. */
  page: number;
}

const ORDERS: readonly LinkOrder[] = ['newest', 'oldest', 'clicks'];

const MAX_DOMAIN_LENGTH = 260;

/** Maximum total length of the `earlier` short codes in the URL. Proxies reject very long URLs. */
const MAX_EARLIER_LENGTH = 1000;

/** Reads the search text, domain, tag, sort order and page from the URL. Ignores invalid values. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const after = query.get('after') ?? '';
  const page = query.get('page') ?? '';
  const domain = (query.get('domain') ?? '').trim().slice(0, MAX_DOMAIN_LENGTH);
  const list: ListQuery = {
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_LIMIT),
    domain: asciiHost(domain) ?? domain,
    tag: (query.get('tag') ?? '').trim().slice(0, TAG_LENGTH_LIMIT),
    order: ORDERS.find((order) => order === query.get('order')) ?? 'newest',
    ...FIRST_PAGE,
  };
  if (!isStoredCode(after)) return list;
  const earlier = query.getAll('earlier').filter(isStoredCode);
  return { ...list, after, earlier, page: /^[1-9]\d{0,6}$/.test(page) ? Math.max(2, Number(page)) : 2 };
}

/** Reads the search text, filters, sort order and page of the list from which a form was submitted. */
export function submittedListQuery(form: Pick<Form, 'text'>): ListQuery {
  return readListQuery(new URLSearchParams(form.text('list').split('?')[1] ?? ''));
}

const FIRST_PAGE = { after: null, earlier: [] as string[], page: 1 } satisfies Partial<ListQuery>;

export function firstPage(query: ListQuery): ListQuery {
  return { ...query, ...FIRST_PAGE };
}

/**
 * Returns the query for the next page of the list.
 *
 * @param last short code of the last link on the current page
 */
export function nextPage(query: ListQuery, last: string): ListQuery {
  const earlier = query.after === null ? [] : [...query.earlier, query.after];
  while (encodeURIComponent(earlier.join()).length > MAX_EARLIER_LENGTH) earlier.shift();
  return { ...query, after: last, earlier, page: query.page + 1 };
}

/** Returns the previous page. Returns null on the first page, or if the URL does not identify the previous page. */
export function previousPage(query: ListQuery): ListQuery | null {
  if (query.page === 2) return firstPage(query);
  const after = query.earlier.at(-1);
  return after === undefined ? null : { ...query, after, earlier: query.earlier.slice(0, -1), page: query.page - 1 };
}

export function listAddress(
  { search, domain, tag, order, after, earlier, page }: ListQuery,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(domain && { domain }),
    ...(tag && { tag }),
    ...(order !== 'newest' && { order }),
    ...(after && { after, page: String(page) }),
    ...more,
  });
  if (after) for (const code of earlier) query.append('earlier', code);
  return query.size > 0 ? `/links?${query}` : '/links';
}
