import { setImmediate as tick } from 'node:timers/promises';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import { isLinkCode } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../store/interface/store.ts';
import { matcher, pageOfLinks } from '../../store/paginate-links.ts';
import { readerTimes } from '../components/dates-and-numbers.ts';
import { errorPage } from '../components/error-page.ts';
import { readForm } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import type { Page, PageContext, Services } from '../page-definition.ts';
import { codeInAddress, type ListQuery, listAddress, queryOfList, readListQuery } from './link-list-address.ts';
import type { ListNotes } from './link-list-notices.ts';
import { MAX_COUNTED, PAGE_SIZE } from './link-list-pagination.ts';
import { linksView } from './link-list-view.ts';
import type { SearchLimit } from './search-limit.ts';

/** The account's links: lists, searches, sorts, deletes and restores them. */
export function linkPages(services: Services, limitSearches: SearchLimit): Page[] {
  const { store, clock, shortBaseUrl, onLinkChanged } = services;

  async function showList(context: PageContext) {
    const { accountId } = context.var.session;
    const query = readListQuery(new URL(context.req.url).searchParams);
    const tooMany = query.search ? limitSearches(context) : null;
    if (tooMany) return tooMany;
    const after = query.after ? await store.links.find(accountId, query.after) : null;
    const matches = query.search ? matcher(query.search) : null;
    const asked = { accountId, after, limit: PAGE_SIZE, matches, order: query.order };
    const { links, last } = await pageOfLinks(store.links, asked, tick);
    const isWhole = query.after === null && last === null;
    const counted = isWhole || query.search ? null : await store.links.count(accountId, MAX_COUNTED + 1);
    const body = linksView({
      links,
      query,
      next: last?.code ?? null,
      total: isWhole ? links.length : counted,
      shortBaseUrl,
      now: clock(),
      times: readerTimes(context),
      areTicked: context.req.query('ticked') === 'page',
      notes: await notesIn(context),
    });
    return page(context, { title: 'Links', section: 'links', body });
  }

  /** What the address says was done just before, as far as it is so: addresses can be edited. */
  async function notesIn(context: PageContext): Promise<ListNotes> {
    const { accountId } = context.var.session;
    const { deleted, restored, made, back, ticked } = context.req.query();
    return {
      made: await linkInState(accountId, made, false),
      deleted: await linkInState(accountId, deleted, true),
      restored: await linkInState(accountId, restored, false),
      deletedTogether: await deletedTogether(accountId, Number(context.req.query('deletedAt'))),
      restoredTogether: back && /^[1-9]\d{0,5}$/.test(back) ? Number(back) : null,
      nothingSelected: ticked === 'none',
    };
  }

  async function deletedTogether(accountId: number, deletedAt: number): Promise<ListNotes['deletedTogether']> {
    if (!Number.isSafeInteger(deletedAt) || deletedAt <= 0) return null;
    const count = await store.links.countRestorable(accountId, { deletedAt, now: clock() });
    return count > 0 ? { count, deletedAt, undoUntil: deletedAt + UNDO_TIME_MS } : null;
  }

  /** The link named in the address, if it is deleted or not, as the address claims. */
  async function linkInState(
    accountId: number,
    code: string | undefined,
    isDeleted: boolean,
  ): Promise<StoredLink | null> {
    const link = code && isLinkCode(code) ? await store.links.find(accountId, code) : null;
    return link && (link.deletedAt !== null) === isDeleted ? link : null;
  }

  return [
    { method: 'GET', path: '/links', access: 'holder', handle: showList },
    {
      method: 'POST',
      path: '/links/:code/delete',
      access: 'holder',
      async handle(context) {
        const code = codeInAddress(context);
        const { accountId } = context.var.session;
        const removed = code && (await store.links.remove(accountId, code, clock(), clock() + UNDO_TIME_MS));
        if (!removed) return errorPage(context, 404);
        onLinkChanged(code);
        return context.redirect(listAddress(await listQueryIn(context), { deleted: code }), 303);
      },
    },
    {
      method: 'POST',
      path: '/links/:code/restore',
      access: 'holder',
      async handle(context) {
        const code = codeInAddress(context);
        const form = await readForm(context);
        const deletedAt = Number(form.text('deletedAt'));
        if (!code || !Number.isSafeInteger(deletedAt)) return errorPage(context, 404);
        const undo = { deletedAt, now: clock() };
        const { accountId } = context.var.session;
        if (!(await store.links.restore(accountId, code, undo))) {
          return errorPage(context, (await store.links.find(accountId, code)) ? 410 : 404);
        }
        onLinkChanged(code);
        return context.redirect(listAddress(queryOfList(form.text('list')), { restored: code }), 303);
      },
    },
  ];
}

/** The list's query, from a form on the list. */
async function listQueryIn(context: PageContext): Promise<ListQuery> {
  return queryOfList((await readForm(context)).text('list'));
}
