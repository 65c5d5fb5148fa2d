import type { Link } from '@terse/contract';
import { linkJson } from '../../domain/links/link-json.ts';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import type { StoredLink } from '../../store/interface/store.ts';
import { formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { errorPage } from '../components/error-page.ts';
import { readForm } from '../components/forms.ts';
import { type Html, html, icon, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Page, Services } from '../page-definition.ts';
import { EXPORT_FORMATS, exportFile } from './export-links.ts';
import { firstPage, listAddress } from './link-list-address.ts';
import type { SearchLimit } from './search-limit.ts';
import { linksOf, listOf, readSelection, type Selection } from './selected-links.ts';

interface Deletion {
  /** Newest first. */
  links: StoredLink[];
  /** Whether the selection holds more than one order deletes. */
  hasMore: boolean;
  selection: Selection;
  /** The address of the list that they were selected on. */
  list: string;
  shortBaseUrl: string;
}

/** Links that are named; of more of them only the number is said. */
const NAMED = 50;

/** Asks whether to delete several links. */
export function confirmDeletion({ links, hasMore, selection, list, shortBaseUrl }: Deletion): Html {
  const rows = links.slice(0, NAMED).map(
    (link) => html`<li class="row brief">
    <div class="row-text"><p class="line" dir="ltr">${shortUrl(shortBaseUrl, link.code)}</p><p class="line row-note"><bdi>${link.title ?? link.url}</bdi></p></div>
    <p class="row-note">${formatCount(link.clicks, 'click')}</p>
  </li>`,
  );
  const rest = links.length - rows.length;
  return html`<nav class="crumbs" aria-label="Up"><a href="${list}">${icon('back')}Links</a></nav>
<form class="card" method="post" action="/selection/delete">
  <div><h1>Delete ${formatCount(links.length, 'link')}?</h1>
  <p class="card-intro">${links.length === 1 ? 'Its short URL stops working' : 'Their short URLs stop working'} at once. You can undo this for a day.</p></div>
  ${hasMore ? html`<p>These are the newest; you can delete at most ${formatNumber(links.length)} at a time. Repeat this for the others.</p>` : ''}
  ${'codes' in selection ? selection.codes.map((code) => html`<input type="hidden" name="code" value="${code}">`) : html`<input type="hidden" name="scope" value="found"><input type="hidden" name="newest" value="${Math.max(0, ...links.map(({ id }) => id))}">`}
  <input type="hidden" name="list" value="${list}">
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Delete ${formatCount(links.length, 'link')}</button><a class="button" href="${list}">Keep ${links.length === 1 ? 'it' : 'them'}</a></div>
  <ul class="rows" aria-label="Links to delete">${rows}</ul>
  ${rest > 0 ? html`<p>and ${formatNumber(rest)} more</p>` : ''}
</form>`;
}

/** Links that one order deletes. Whoever has more to delete orders again. */
const MOST_DELETED = 10_000;

/** Links restored in one transaction. */
const PORTION = 500;

/** Exports and deletes several links at once, and undoes the deletion. Outside `/links/`, where a code could be named so. */
export function selectionPages(services: Services, limitSearches: SearchLimit): Page[] {
  const { store, clock, log, shortBaseUrl, onLinkChanged } = services;

  async function* exported(accountId: number, selection: Selection): AsyncGenerator<Link[]> {
    for await (const some of linksOf(store.links, accountId, selection)) {
      yield some.map((link) => linkJson(link, shortBaseUrl));
    }
  }

  /** The links of a selection that one order deletes, and whether there are more. */
  async function toDelete(accountId: number, selection: Selection) {
    const links: StoredLink[] = [];
    for await (const some of linksOf(store.links, accountId, selection)) {
      links.push(...some);
      if (links.length > MOST_DELETED) break;
    }
    return { links: links.slice(0, MOST_DELETED), hasMore: links.length > MOST_DELETED };
  }

  /**
   * Portion by portion, so that nobody else waits long. Returns how many; where the database goes away in the middle, as many
   * as it were until then, so that they can be restored.
   */
  async function remove(accountId: number, selection: Selection, now: number): Promise<number> {
    let removed = 0;
    try {
      for await (const some of linksOf(store.links, accountId, selection)) {
        const codes = some.slice(0, MOST_DELETED - removed).map(({ code }) => code);
        const gone = await store.links.removeAll(accountId, codes, now, now + UNDO_TIME_MS);
        for (const code of gone) onLinkChanged(code);
        removed += gone.length;
        if (removed >= MOST_DELETED) break;
      }
    } catch (error) {
      if (removed === 0) throw error;
      log('error', 'a deletion of several links was cut short', { removed, error });
    }
    return removed;
  }

  async function restore(accountId: number, deletedAt: number): Promise<number> {
    const undo = { deletedAt, now: clock() };
    for (let restored = 0; ; ) {
      const codes = await store.links.restoreAll(accountId, undo, PORTION);
      for (const code of codes) onLinkChanged(code);
      restored += codes.length;
      if (codes.length < PORTION) return restored;
    }
  }

  return [
    {
      method: 'POST',
      path: '/selection',
      access: 'holder',
      async handle(context) {
        const { accountId } = context.var.session;
        const form = await readForm(context);
        const selection = readSelection(form);
        const tooMany = 'codes' in selection ? null : limitSearches(context);
        if (tooMany) return tooMany;
        const format = EXPORT_FORMATS.find((known) => known === form.text('action'));
        const isEmpty = 'codes' in selection && selection.codes.length === 0;
        if (isEmpty) return context.redirect(listAddress(listOf(form), { ticked: 'none' }), 303);
        if (format) return exportFile(context, format, exported(accountId, selection), clock());
        const { links, hasMore } = await toDelete(accountId, selection);
        if (links.length === 0) return errorPage(context, 404);
        const body = confirmDeletion({ links, hasMore, selection, list: listAddress(listOf(form)), shortBaseUrl });
        return page(context, { title: 'Delete links', section: 'links', body });
      },
    },
    {
      method: 'POST',
      path: '/selection/delete',
      access: 'holder',
      async handle(context) {
        const form = await readForm(context);
        const selection = readSelection(form);
        const tooMany = 'codes' in selection ? null : limitSearches(context);
        if (tooMany) return tooMany;
        const now = clock();
        const removed = await remove(context.var.session.accountId, selection, now);
        if (removed === 0) return errorPage(context, 404);
        return context.redirect(listAddress(firstPage(listOf(form)), { deletedAt: String(now) }), 303);
      },
    },
    {
      method: 'POST',
      path: '/selection/restore',
      access: 'holder',
      async handle(context) {
        const form = await readForm(context);
        const deletedAt = Number(form.text('deletedAt'));
        if (!Number.isSafeInteger(deletedAt)) return errorPage(context, 404);
        const restored = await restore(context.var.session.accountId, deletedAt);
        if (restored === 0) return errorPage(context, 410);
        return context.redirect(listAddress(listOf(form), { back: String(restored) }), 303);
      },
    },
  ];
}
