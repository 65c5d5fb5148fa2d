import { SEARCH_LIMIT } from '@terse/contract';
import { isLinkCode } from '../domain/link-codes.ts';
import type { LinkOrder } from '../store/store.ts';

/** The query of the list of links. */
export interface ListQuery {
  search: string;
  order: LinkOrder;
  /** The code of the last link of the page before. */
  after: string | null;
}

const ORDERS: readonly LinkOrder[] = ['newest', 'oldest', 'clicks'];

/** Reads the list's query. Nonsense is ignored: it can only come from an edited address. */
export function readListQuery(get: (name: string) => string | undefined): ListQuery {
  const after = get('after') ?? '';
  return {
    search: (get('search') ?? '').trim().slice(0, SEARCH_LIMIT),
    order: ORDERS.find((order) => order === get('order')) ?? 'newest',
    after: isLinkCode(after) ? after : null,
  };
}

/** The query in an address of the list. */
export function queryOfList(address: string): ListQuery {
  const query = new URLSearchParams(address.split('?')[1] ?? '');
  return readListQuery((name) => query.get(name) ?? undefined);
}

/** The address of the list for a query. */
export function listAddress({ search, order, after }: ListQuery, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(order !== 'newest' && { order }),
    ...(after && { after }),
    ...more,
  });
  return query.size > 0 ? `/links?${query}` : '/links';
}
