import { Readable } from 'node:stream';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import { isStoredCode, type ShortBaseUrls } from '../../domain/links/short-domains.ts';
import { linkJson, type StoredLink } from '../../domain/links/stored-link.ts';
import { ApiError } from '../../http/api-error.ts';
import { formatCount } from '../components/dates-and-numbers.ts';
import { type Form, readForm } from '../components/forms.ts';
import { type Html, html, icon, linkName, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Pages, Services } from '../services.ts';
import { EXPORT_FORMATS, sendExport } from './export-links.ts';
import { firstPage, type ListQuery, listAddress, parseListAddress } from './link-list-address.ts';

/** Maximum number of short codes that are read from one form. A page of the list has fewer links. */
const MAX_SELECTED = 500;

interface Deletion {
  /** Links to delete, newest first. */
  links: StoredLink[];
  /** URL of the list in which the user selected the links. */
  list: string;
  shortBaseUrls: ShortBaseUrls;
}

/**
 * Pages that export or delete the selected links, or restore deleted links. Their paths start with `/selection`,
 * because `/links/selection` could be the page of a link.
 */
export function addBulkActionPages(pages: Pages, services: Services): void {
  const { store, clock, shortBaseUrls, onLinkChanged } = services;

  pages.post('/selection', async (context) => {
    const { accountId } = context.var.session;
    const form = await readForm(context);
    const codes = selectedCodes(form);
    const query = submittedListQuery(form);
    if (codes.length === 0) return context.redirect(listAddress(query, { ticked: 'none' }), 303);
    const links = await store.links.findAll(accountId, codes);
    const format = EXPORT_FORMATS.find((name) => name === form.text('action'));
    if (format) {
      const exported = links.map((link) => linkJson(link, services));
      return sendExport(context, format, Readable.from([exported]), clock());
    }
    if (links.length === 0) throw new ApiError('not_found');
    const body = confirmDeletionView({ links, list: listAddress(query), shortBaseUrls });
    return page(context, { title: 'Delete links', section: 'links', body });
  });
  pages.post('/selection/delete', async (context) => {
    const form = await readForm(context);
    const { accountId } = context.var.session;
    const now = clock();
    const removed = await store.links.removeAll(accountId, selectedCodes(form), now, now + UNDO_TIME_MS);
    if (removed.length === 0) throw new ApiError('not_found');
    for (const code of removed) onLinkChanged(code);
    return context.redirect(listAddress(firstPage(submittedListQuery(form)), { deletedAt: String(now) }), 303);
  });
  pages.post('/selection/restore', async (context) => {
    const form = await readForm(context);
    const deletedAt = Number(form.text('deletedAt'));
    if (!Number.isSafeInteger(deletedAt)) throw new ApiError('not_found');
    const undo = { deletedAt, now: clock() };
    const restored = await store.links.restoreAll(context.var.session.accountId, undo, MAX_SELECTED);
    if (restored.length === 0) throw new ApiError('gone');
    for (const code of restored) onLinkChanged(code);
    return context.redirect(listAddress(submittedListQuery(form), { back: String(restored.length) }), 303);
  });
}

function selectedCodes(form: Form): string[] {
  return [...new Set(form.texts('code').filter(isStoredCode))].slice(0, MAX_SELECTED);
}

/** Returns the search text, filters, sort order and page of the list from which a form was submitted. */
function submittedListQuery(form: Form): ListQuery {
  return parseListAddress(form.text('list'));
}

export function confirmDeletionView({ links, list, shortBaseUrls }: Deletion): Html {
  const rows = links.map(
    (link) => html`<li class="row brief">
    <div class="row-text"><p>${linkName(link)}</p><p class="row-note" dir="ltr">${shortUrl(shortBaseUrls, link.code)}</p></div>
    <p class="row-note">${formatCount(link.clicks, 'click')}</p>
  </li>`,
  );
  return html`<nav class="crumbs" aria-label="Up"><a href="${list}">${icon('back')}Links</a></nav>
<form class="card" method="post" action="/selection/delete">
  <div><h1>Delete ${formatCount(links.length, 'link')}?</h1>
  <p class="card-intro">${links.length === 1 ? 'Its short URL stops working' : 'Their short URLs stop working'} immediately. You can undo this for a day.</p></div>
  ${links.map(({ code }) => html`<input type="hidden" name="code" value="${code}">`)}
  <input type="hidden" name="list" value="${list}">
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Delete ${formatCount(links.length, 'link')}</button><a class="button" href="${list}">Cancel</a></div>
  <ul class="rows" aria-label="Links to delete">${rows}</ul>
</form>`;
}
