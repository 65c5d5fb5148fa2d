import { setImmediate as tick } from 'node:timers/promises';
import { isLinkCode } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../../store/interface/link-store.ts';
import { matcher } from '../../store/paginate-links.ts';
import type { Form } from '../components/forms.ts';
import { type ListQuery, queryOfList } from './link-list-address.ts';

/** Links that are exported or deleted together. */
export type Selection = Ticked | Found;

/** Those ticked on a page of the list. */
export interface Ticked {
  codes: string[];
}

/** All that a search finds, or all there are. */
export interface Found {
  search: string;
  /** The highest id that was shown: links that arrived later are not part of the selection. Null if no link was shown yet. */
  newest: number | null;
}

/** Links read at a time, and deleted in one transaction: so few that redirects hardly wait for them. */
const AT_ONCE = 200;

/** Codes taken from one form; a page of the list has fewer. */
const MOST_TICKED = 500;

/** Reads what is selected from a form on the list, or on the page that asks whether to delete. */
export function readSelection(form: Form): Selection {
  if (form.text('scope') === 'found') {
    const newest = form.text('newest');
    return { search: listOf(form).search, newest: /^\d{1,15}$/.test(newest) ? Number(newest) : null };
  }
  return { codes: [...new Set(form.texts('code').filter(isLinkCode))].slice(0, MOST_TICKED) };
}

/** The list that a form was on. */
export function listOf(form: Form): ListQuery {
  return queryOfList(form.text('list'));
}

/** The links of a selection, newest first, in portions. Deleting those of one changes nothing of the next. */
export async function* linksOf(
  store: Pick<LinkStore, 'findAll' | 'list'>,
  accountId: number,
  selection: Selection,
): AsyncGenerator<StoredLink[]> {
  if ('codes' in selection) return yield await store.findAll(accountId, selection.codes);
  const { search, newest } = selection;
  const holds = search ? matcher(search) : () => true;
  const matches = (link: StoredLink) => (newest === null || link.id <= newest) && holds(link);
  let after: StoredLink | null = null;
  for (;;) {
    const some: StoredLink[] = await store.list(accountId, after, AT_ONCE, 'newest');
    const matching = some.filter(matches);
    if (matching.length > 0) yield matching;
    if (some.length < AT_ONCE) return;
    after = some.at(-1) ?? null;
    await tick();
  }
}
