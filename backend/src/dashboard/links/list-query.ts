import { asciiHost, SEARCH_LIMIT } from '@terse/contract';
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
}

const ORDERS: readonly LinkOrder[] = ['newest', 'oldest', 'clicks'];

/** Reads the search text, domain, tag, sort order and page from the URL. Ignores invalid values. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const after = query.get('after') ?? '';
  const domain = (query.get('domain') ?? '').trim().slice(0, SEARCH_LIMIT);
  return {
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_LIMIT),
    domain: asciiHost(domain) ?? domain,
    tag: (query.get('tag') ?? '').trim().slice(0, SEARCH_LIMIT),
    order: ORDERS.find((order) => order === query.get('order')) ?? 'newest',
    after: isStoredCode(after) ? after : null,
  };
}

/** Reads the search text, filters, sort order and page of the list from which a form was submitted. */
export function submittedListQuery(form: Pick<Form, 'text'>): ListQuery {
  return readListQuery(new URLSearchParams(form.text('list').split('?')[1] ?? ''));
}

export function firstPage(query: ListQuery): ListQuery {
  return { ...query, after: null };
}

/** Returns the path of a list of links. `more` are other parameters, such as the result of the last action. */
export function listAddress(
  { search, domain, tag, order, after }: ListQuery,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(domain && { domain }),
    ...(tag && { tag }),
    ...(order !== 'newest' && { order }),
    ...(after && { after }),
    ...more,
  });
  return query.size > 0 ? `/links?${query}` : '/links';
}
