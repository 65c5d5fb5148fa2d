import { setImmediate as tick } from 'node:timers/promises';
import { isLinkCode } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../../store/interface/link-store.ts';
import { matcher } from '../../store/paginate-links.ts';
import type { Form } from '../components/forms.ts';
import { type ListQuery, parseListAddress } from './link-list-address.ts';

/** Links that are exported or deleted together. */
export type Selection = Ticked | Found;

/** Links selected on one page of the list. */
export interface Ticked {
  codes: string[];
}

/** All results of a search, or all links of the account. */
export interface Found {
  search: string;
  /** Highest id on the confirmation page. Links created later are not selected. Null before that page was shown. */
  newest: number | null;
}

/** Number of links read at a time and deleted in one transaction. It is small, so that redirects hardly wait. */
const BATCH_SIZE = 200;

/** Maximum number of codes read from one form. A page of the list has fewer. */
const MAX_TICKED = 500;

/** Reads the selection from a form on the list or on the confirmation page. */
export function readSelection(form: Form): Selection {
  if (form.text('scope') === 'found') {
    const newest = form.text('newest');
    return { search: submittedListQuery(form).search, newest: /^\d{1,15}$/.test(newest) ? Number(newest) : null };
  }
  return { codes: [...new Set(form.texts('code').filter(isLinkCode))].slice(0, MAX_TICKED) };
}

/** Reads the query of the list that a form was on. */
export function submittedListQuery(form: Form): ListQuery {
  return parseListAddress(form.text('list'));
}

/** Reads the links of a selection in batches, newest first. The caller may delete a batch before it reads the next. */
export async function* readSelectedLinks(
  store: Pick<LinkStore, 'findAll' | 'list'>,
  accountId: number,
  selection: Selection,
): AsyncGenerator<StoredLink[]> {
  if ('codes' in selection) return yield await store.findAll(accountId, selection.codes);
  const { search, newest } = selection;
  const matchesSearch = search ? matcher(search) : () => true;
  const matches = (link: StoredLink) => (newest === null || link.id <= newest) && matchesSearch(link);
  let after: StoredLink | null = null;
  for (;;) {
    const batch: StoredLink[] = await store.list(accountId, after, BATCH_SIZE, 'newest');
    const matching = batch.filter(matches);
    if (matching.length > 0) yield matching;
    if (batch.length < BATCH_SIZE) return;
    after = batch.at(-1) ?? null;
    await tick();
  }
}
