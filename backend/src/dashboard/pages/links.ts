import { setImmediate as tick } from 'node:timers/promises';
import { UNDO_LIFE } from '../../domain/deletions.ts';
import { isLinkCode } from '../../domain/link-codes.ts';
import { matcher } from '../../domain/search.ts';
import { pageOfLinks } from '../../store/page.ts';
import type { StoredLink } from '../../store/store.ts';
import { readForm } from '../form.ts';
import { page } from '../layout.ts';
import { codeInAddress } from '../link-address.ts';
import { type ListQuery, listAddress, readListQuery } from '../list-query.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { errorPage } from './error.ts';
import { linksView } from './links-view.ts';

const PAGE_SIZE = 50;

/** The account's links: lists, searches, sorts, deletes and restores them. */
export function linkPages(services: Services): Page[] {
  const { store, clock, shortBaseUrl, onLinkChanged } = services;

  async function showList(context: PageContext) {
    const { accountId } = context.var.session;
    const query = readListQuery((name) => context.req.query(name));
    const after = query.after ? ((await store.links.find(accountId, query.after))?.id ?? null) : null;
    const matches = query.search ? matcher(query.search) : null;
    const asked = { accountId, after, limit: PAGE_SIZE, matches, order: query.order };
    const { links, last } = await pageOfLinks(store.links, asked, tick);
    const body = linksView({
      links,
      query,
      next: last?.code ?? null,
      shortBaseUrl,
      now: clock(),
      times: readerTimes(context),
      deleted: await linkInState(accountId, context.req.query('deleted'), true),
      restored: await linkInState(accountId, context.req.query('restored'), false),
      made: await linkInState(accountId, context.req.query('made'), false),
    });
    return page(context, { title: 'Links', section: 'links', body });
  }

  /** The link named in the address, if it is deleted or not, as the address claims: addresses can be edited. */
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
        const removed = code && (await store.links.remove(accountId, code, clock(), clock() + UNDO_LIFE));
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
        return context.redirect(listAddress(queryOf(form.text('list')), { restored: code }), 303);
      },
    },
  ];
}

/** The list's query, from a form on the list. */
async function listQueryIn(context: PageContext): Promise<ListQuery> {
  return queryOf((await readForm(context)).text('list'));
}

function queryOf(list: string): ListQuery {
  const query = new URLSearchParams(list.split('?')[1] ?? '');
  return readListQuery((name) => query.get(name) ?? undefined);
}
