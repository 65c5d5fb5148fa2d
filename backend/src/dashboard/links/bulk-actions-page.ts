import type { Link } from '@terse/contract';
import { linkJson } from '../../domain/links/link-json.ts';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import type { ShortBaseUrls } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { errorPage } from '../components/error-page.ts';
import { readForm } from '../components/forms.ts';
import { type Html, html, icon, linkName, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Page, Services } from '../page-definition.ts';
import { EXPORT_FORMATS, sendExport } from './export-links.ts';
import { firstPage, listAddress } from './link-list-address.ts';
import type { SearchLimit } from './search-limit.ts';
import { readSelectedLinks, readSelection, type Selection, submittedListQuery } from './selected-links.ts';

/** Maximum number of links that one request can delete. */
const MAX_DELETED = 10_000;

/** Number of links restored per database transaction. */
const RESTORE_BATCH = 500;

/** Maximum number of links that the confirmation page lists. */
const MAX_LISTED = 50;

interface Deletion {
  /** Links to delete, newest first. */
  links: StoredLink[];
  /** True if the user selected more links than one request can delete. */
  hasMore: boolean;
  selection: Selection;
  /** URL of the list in which the user selected the links. */
  list: string;
  shortBaseUrls: ShortBaseUrls;
}

/**
 * Pages that export or delete the selected links, or restore deleted links. Their paths start with `/selection`,
 * because `/links/selection` could be the page of a link.
 */
export function bulkActionPages(services: Services, limitSearches: SearchLimit): Page[] {
  const { store, clock, log, shortBaseUrls, onLinkChanged } = services;

  async function* readForExport(accountId: number, selection: Selection): AsyncGenerator<Link[]> {
    for await (const batch of readSelectedLinks(store.links, accountId, selection, shortBaseUrls)) {
      yield batch.map((link) => linkJson(link, services));
    }
  }

  /** Finds the selected links, up to the maximum that one request can delete. */
  async function findDeletable(accountId: number, selection: Selection) {
    const links: StoredLink[] = [];
    for await (const batch of readSelectedLinks(store.links, accountId, selection, shortBaseUrls)) {
      links.push(...batch);
      if (links.length > MAX_DELETED) break;
    }
    return { links: links.slice(0, MAX_DELETED), hasMore: links.length > MAX_DELETED };
  }

  /**
   * Deletes links in batches, so that other requests are not blocked for long. Returns the number of deleted links.
   * If the database fails halfway, the links that were already deleted can still be restored.
   */
  async function remove(accountId: number, selection: Selection, now: number): Promise<number> {
    let count = 0;
    try {
      for await (const batch of readSelectedLinks(store.links, accountId, selection, shortBaseUrls)) {
        const codes = batch.slice(0, MAX_DELETED - count).map(({ code }) => code);
        const deleted = await store.links.removeAll(accountId, codes, now, now + UNDO_TIME_MS);
        for (const code of deleted) onLinkChanged(code);
        count += deleted.length;
        if (count >= MAX_DELETED) break;
      }
    } catch (error) {
      if (count === 0) throw error;
      log('error', 'deleting several links failed before all were deleted', { deleted: count, error });
    }
    return count;
  }

  async function restore(accountId: number, deletedAt: number): Promise<number> {
    const undo = { deletedAt, now: clock() };
    for (let restored = 0; ; ) {
      const codes = await store.links.restoreAll(accountId, undo, RESTORE_BATCH);
      for (const code of codes) onLinkChanged(code);
      restored += codes.length;
      if (codes.length < RESTORE_BATCH) return restored;
    }
  }

  return [
    {
      method: 'POST',
      path: '/selection',
      access: 'user',
      async handle(context) {
        const { accountId } = context.var.session;
        const form = await readForm(context);
        const selection = readSelection(form);
        const tooMany = 'codes' in selection ? null : limitSearches(context);
        if (tooMany) return tooMany;
        const format = EXPORT_FORMATS.find((name) => name === form.text('action'));
        const isEmpty = 'codes' in selection && selection.codes.length === 0;
        if (isEmpty) return context.redirect(listAddress(submittedListQuery(form), { ticked: 'none' }), 303);
        if (format) return sendExport(context, format, readForExport(accountId, selection), clock());
        const { links, hasMore } = await findDeletable(accountId, selection);
        if (links.length === 0) return errorPage(context, 404);
        const body = confirmDeletionView({
          links,
          hasMore,
          selection,
          list: listAddress(submittedListQuery(form)),
          shortBaseUrls,
        });
        return page(context, { title: 'Delete links', section: 'links', body });
      },
    },
    {
      method: 'POST',
      path: '/selection/delete',
      access: 'user',
      async handle(context) {
        const form = await readForm(context);
        const selection = readSelection(form);
        const tooMany = 'codes' in selection ? null : limitSearches(context);
        if (tooMany) return tooMany;
        const now = clock();
        const removed = await remove(context.var.session.accountId, selection, now);
        if (removed === 0) return errorPage(context, 404);
        return context.redirect(listAddress(firstPage(submittedListQuery(form)), { deletedAt: String(now) }), 303);
      },
    },
    {
      method: 'POST',
      path: '/selection/restore',
      access: 'user',
      async handle(context) {
        const form = await readForm(context);
        const deletedAt = Number(form.text('deletedAt'));
        if (!Number.isSafeInteger(deletedAt)) return errorPage(context, 404);
        const restored = await restore(context.var.session.accountId, deletedAt);
        if (restored === 0) return errorPage(context, 410);
        return context.redirect(listAddress(submittedListQuery(form), { back: String(restored) }), 303);
      },
    },
  ];
}

export function confirmDeletionView({ links, hasMore, selection, list, shortBaseUrls }: Deletion): Html {
  const rows = links.slice(0, MAX_LISTED).map(
    (link) => html`<li class="row brief">
    <div class="row-text"><p>${linkName(link)}</p><p class="row-note" dir="ltr">${shortUrl(shortBaseUrls, link.code)}</p></div>
    <p class="row-note">${formatCount(link.clicks, 'click')}</p>
  </li>`,
  );
  const rest = links.length - rows.length;
  return html`<nav class="crumbs" aria-label="Up"><a href="${list}">${icon('back')}Links</a></nav>
<form class="card" method="post" action="/selection/delete">
  <div><h1>Delete ${formatCount(links.length, 'link')}?</h1>
  <p class="card-intro">${links.length === 1 ? 'Its short URL stops working' : 'Their short URLs stop working'} immediately. You can undo this for a day.</p></div>
  ${hasMore ? html`<p>You can delete at most ${formatNumber(links.length)} links at a time. These are the newest. Repeat this for the others.</p>` : ''}
  ${'codes' in selection ? selection.codes.map((code) => html`<input type="hidden" name="code" value="${code}">`) : html`<input type="hidden" name="scope" value="found"><input type="hidden" name="newest" value="${Math.max(0, ...links.map(({ id }) => id))}">`}
  <input type="hidden" name="list" value="${list}">
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Delete ${formatCount(links.length, 'link')}</button><a class="button" href="${list}">Cancel</a></div>
  <ul class="rows" aria-label="Links to delete">${rows}</ul>
  ${rest > 0 ? html`<p>and ${formatNumber(rest)} more</p>` : ''}
</form>`;
}
