import { setImmediate as tick } from 'node:timers/promises';
import { isShortCode } from '../../domain/codes.ts';
import { canBeUndone } from '../../domain/deletions.ts';
import { matcher } from '../../domain/search.ts';
import { pageOfLinks } from '../../store/page.ts';
import type { StoredLink } from '../../store/store.ts';
import { type Problems, problemsOf, readForm } from '../form.ts';
import { page } from '../layout.ts';
import { validateLinkForm } from '../link-form.ts';
import { type ListQuery, listAddress, readListQuery } from '../list-query.ts';
import type { Page, PageContext } from '../page.ts';
import { readTime } from '../parts/time.ts';
import type { Services } from '../services.ts';
import { errorPage } from './error.ts';
import { type LinkFields, linksView, newLinkView } from './links-view.ts';

const PAGE_SIZE = 50;

/** The account's links: lists, searches, sorts, makes, deletes and restores them. */
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
    const link = code && isShortCode(code) ? await store.links.find(accountId, code) : null;
    return link && (link.deletedAt !== null) === isDeleted ? link : null;
  }

  function showForm(context: PageContext, fields: LinkFields, problems: Problems) {
    const body = newLinkView(fields, problems, shortBaseUrl);
    return page(context, { title: 'New link', section: 'links', body, status: problems ? 400 : 200 });
  }

  return [
    { method: 'GET', path: '/links', access: 'holder', handle: showList },
    { method: 'GET', path: '/links/new', access: 'holder', handle: (context) => showForm(context, NO_FIELDS, null) },
    {
      method: 'POST',
      path: '/links',
      access: 'holder',
      async handle(context) {
        const form = await readForm(context);
        const fields = {
          url: form.text('url'),
          code: form.text('code'),
          title: form.text('title'),
          expiresAt: form.text('expiresAt'),
        };
        const validated = validateLinkForm({ ...fields, expiresAt: readTime(fields.expiresAt) }, services);
        const expiry = 'link' in validated ? validated.link.expiresAt : null;
        const late = expiry !== null && expiry <= clock() ? { expiresAt: 'The expiry must be in the future.' } : null;
        const problems = 'problems' in validated ? problemsOf(validated.problems) : late;
        if (problems || !('link' in validated)) return showForm(context, fields, problems);
        const made = await store.links.create(context.var.session.accountId, validated.link, clock());
        if (!made) return showForm(context, fields, { code: 'This short code is taken.' });
        return context.redirect(`/links?made=${made.code}`, 303);
      },
    },
    {
      method: 'POST',
      path: '/links/:code/delete',
      access: 'holder',
      async handle(context) {
        const code = context.req.param('code') ?? '';
        const { accountId } = context.var.session;
        const removed = isShortCode(code) && (await store.links.remove(accountId, code, clock()));
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
        const code = context.req.param('code') ?? '';
        const form = await readForm(context);
        const deletedAt = Number(form.text('deletedAt'));
        if (!isShortCode(code) || !Number.isSafeInteger(deletedAt)) return errorPage(context, 404);
        if (!canBeUndone(deletedAt, clock())) return errorPage(context, 410);
        const restored = await store.links.restore(context.var.session.accountId, code, deletedAt);
        if (!restored) return errorPage(context, 404);
        onLinkChanged(code);
        return context.redirect(listAddress(queryOf(form.text('list')), { restored: code }), 303);
      },
    },
  ];
}

const NO_FIELDS: LinkFields = { url: '', code: '', title: '', expiresAt: '' };

/** The list's query, from a form on the list. */
async function listQueryIn(context: PageContext): Promise<ListQuery> {
  return queryOf((await readForm(context)).text('list'));
}

function queryOf(list: string): ListQuery {
  const query = new URLSearchParams(list.split('?')[1] ?? '');
  return readListQuery((name) => query.get(name) ?? undefined);
}
