import { setImmediate as tick } from 'node:timers/promises';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import { isStoredCode } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { ApiError } from '../../http/api-error.ts';
import { linkFilter, pageOfLinks } from '../../store/search-and-paginate-links.ts';
import { readerDateFormats } from '../components/dates-and-numbers.ts';
import { readForm } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import { isFromOtherSite } from '../csrf-and-security-headers.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { codeInAddress, type ListQuery, listAddress, parseListAddress, readListQuery } from './link-list-address.ts';
import type { ListNotices } from './link-list-notices.ts';
import { MAX_COUNTED, PAGE_SIZE } from './link-list-pagination.ts';
import { linkListView } from './link-list-view.ts';
import { createSearchLimit } from './search-limit.ts';

/**
 * Maximum age of a new link, in milliseconds. For older links, the list does not show the message "Your link is
 * ready".
 */
const CREATED_NOTICE_MS = 5 * 60_000;

/** List of an account's links. On this page, users can search, sort, delete and restore links. */
export function addLinkListPages(pages: Pages, services: Services): void {
  const { store, clock, random, shortBaseUrls, forwardQuery, onLinkChanged } = services;

  const limitSearches = createSearchLimit(clock);

  async function showList(context: PageContext) {
    const { accountId } = context.var.session;
    const query = readListQuery(new URL(context.req.url).searchParams);
    const matches = linkFilter(query, shortBaseUrls);
    const isFiltered = matches !== null || query.tag !== '';
    // If the list is filtered by tag, sorting by clicks is as expensive as a search, because the database has no
    // index for this order.
    const isSearch = matches !== null || (query.tag !== '' && query.order === 'clicks');
    if (isSearch) limitSearches(context);
    const after = query.after ? await store.links.find(accountId, query.after) : null;
    const filter = { matches, ...(query.tag && { tag: query.tag }) };
    const request = { accountId, after, limit: PAGE_SIZE, order: query.order, ...filter };
    const { links, last } = await pageOfLinks(store.links, request, tick);
    const isOnlyPage = query.after === null && last === null;
    const counted = isOnlyPage || isFiltered ? null : await store.links.count(accountId, MAX_COUNTED + 1);
    const body = linkListView({
      links,
      query,
      next: last?.code ?? null,
      total: isOnlyPage ? links.length : counted,
      shortBaseUrls,
      forwardQuery,
      now: clock(),
      times: readerDateFormats(context),
      random,
      areTicked: context.req.query('ticked') === 'page',
      notices: await findNotices(context),
    });
    return page(context, { title: 'Links', section: 'links', body });
  }

  /**
   * Reads the result of the last action from the URL. Looks up links in the database, because users can edit URLs. If
   * the user came from another site, the result is empty, because that site could have made it up.
   */
  async function findNotices(context: PageContext): Promise<ListNotices> {
    const { accountId } = context.var.session;
    const query: Record<string, string> = isFromOtherSite(context.req) ? {} : context.req.query();
    const { deleted, restored, made, copied, back, ticked, deletedAt } = query;
    const created = await linkInState(accountId, made, false);
    return {
      created: created && clock() < created.createdAt + CREATED_NOTICE_MS ? created : null,
      isCopied: copied !== undefined,
      deleted: await linkInState(accountId, deleted, true),
      restored: await linkInState(accountId, restored, false),
      deletedTogether: await deletedTogether(accountId, Number(deletedAt)),
      restoredTogether: back && /^[1-9]\d{0,5}$/.test(back) ? Number(back) : null,
      nothingSelected: ticked === 'none',
    };
  }

  async function deletedTogether(accountId: number, deletedAt: number): Promise<ListNotices['deletedTogether']> {
    if (!Number.isSafeInteger(deletedAt) || deletedAt <= 0) return null;
    const count = await store.links.countRestorable(accountId, { deletedAt, now: clock() });
    return count > 0 ? { count, deletedAt, undoUntil: deletedAt + UNDO_TIME_MS } : null;
  }

  /** Returns the link if it exists and its deletion state matches `isDeleted`. Otherwise, returns null. */
  async function linkInState(
    accountId: number,
    code: string | undefined,
    isDeleted: boolean,
  ): Promise<StoredLink | null> {
    const link = code && isStoredCode(code) ? await store.links.find(accountId, code) : null;
    return link && (link.deletedAt !== null) === isDeleted ? link : null;
  }

  pages.get('/links', showList);
  pages.post('/links/:code/delete', async (context) => {
    const code = codeInAddress(context);
    const { accountId } = context.var.session;
    const removed = code && (await store.links.remove(accountId, code, clock(), clock() + UNDO_TIME_MS));
    if (!removed) throw new ApiError('not_found');
    onLinkChanged(code);
    return context.redirect(listAddress(await listQueryIn(context), { deleted: code }), 303);
  });
  pages.post('/links/:code/restore', async (context) => {
    const code = codeInAddress(context);
    const form = await readForm(context);
    const deletedAt = Number(form.text('deletedAt'));
    if (!code || !Number.isSafeInteger(deletedAt)) throw new ApiError('not_found');
    const undo = { deletedAt, now: clock() };
    const { accountId } = context.var.session;
    if (await store.links.restore(accountId, code, undo)) onLinkChanged(code);
    else {
      const link = await store.links.find(accountId, code);
      if (!link) throw new ApiError('not_found');
      // If the user presses Undo twice, the link is already restored, so the second request must not fail.
      if (link.deletedAt !== null) throw new ApiError('gone');
    }
    return context.redirect(listAddress(parseListAddress(form.text('list')), { restored: code }), 303);
  });
}

async function listQueryIn(context: PageContext): Promise<ListQuery> {
  return parseListAddress((await readForm(context)).text('list'));
}
