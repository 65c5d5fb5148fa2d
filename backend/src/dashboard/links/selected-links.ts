import { setImmediate as tick } from 'node:timers/promises';
import { isStoredCode, type ShortBaseUrls } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../../store/interface/link-store.ts';
import { linkFilter } from '../../store/search-and-paginate-links.ts';
import type { Form } from '../components/forms.ts';
import { type ListQuery, parseListAddress } from './link-list-address.ts';

export type Selection = Ticked | Found;

/** Links that the user selected with check boxes. */
export interface Ticked {
  codes: string[];
}

/** All links that match the search text, the domain and the tag. An empty value matches all links. */
export interface Found extends Pick<ListQuery, 'search' | 'domain' | 'tag'> {
  /**
   * Highest link id on the confirmation page. Links with a higher id are newer and are not deleted. Null before the
   * confirmation.
   */
  newest: number | null;
}

/** Number of links that are read at once and deleted in one transaction. Larger transactions would delay redirects. */
const BATCH_SIZE = 200;

/** Maximum number of short codes that are read from one form. A page of the list has fewer links. */
const MAX_TICKED = 500;

export function readSelection(form: Form): Selection {
  if (form.text('scope') === 'found') {
    const newest = form.text('newest');
    const { search, domain, tag } = submittedListQuery(form);
    return { search, domain, tag, newest: /^\d{1,15}$/.test(newest) ? Number(newest) : null };
  }
  return { codes: [...new Set(form.texts('code').filter(isStoredCode))].slice(0, MAX_TICKED) };
}

/** Returns the search text, filters, sort order and page of the list from which a form was submitted. */
export function submittedListQuery(form: Form): ListQuery {
  return parseListAddress(form.text('list'));
}

/** Reads the selected links in batches, newest first. The caller can delete a batch before reading the next one. */
export async function* readSelectedLinks(
  store: Pick<LinkStore, 'findAll' | 'list' | 'listTagged'>,
  accountId: number,
  selection: Selection,
  baseUrls: ShortBaseUrls,
): AsyncGenerator<StoredLink[]> {
  if ('codes' in selection) return yield await store.findAll(accountId, selection.codes);
  const { tag, newest } = selection;
  const read = (after: StoredLink | null) =>
    tag
      ? store.listTagged(accountId, tag, after, BATCH_SIZE, 'newest')
      : store.list(accountId, after, BATCH_SIZE, 'newest');
  const isFound = linkFilter(selection, baseUrls) ?? (() => true);
  const matches = (link: StoredLink) => (newest === null || link.id <= newest) && isFound(link);
  let after: StoredLink | null = null;
  for (;;) {
    const batch: StoredLink[] = await read(after);
    const matching = batch.filter(matches);
    if (matching.length > 0) yield matching;
    if (batch.length < BATCH_SIZE) return;
    after = batch.at(-1) ?? null;
    await tick();
  }
}
