import streams from 'node:stream/web';
import { setImmediate as tick } from 'node:timers/promises';
import type { Link } from '@terse/contract';
import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { Pages, Services } from '../../api/services.ts';
import { UNDO_TIME_MS } from '../../domain/links/link-rules.ts';
import { isStoredCode, splitStoredCode } from '../../domain/links/short-codes.ts';
import { linkJson, type StoredLink } from '../../domain/links/stored-link.ts';
import { ApiError } from '../../http/api-error.ts';
import { type DateFormats, formatCount } from '../components/dates-and-numbers.ts';
import { readForm } from '../components/forms.ts';
import { flashMessage, type Html, html, icon } from '../components/html-elements.ts';
import { firstPage, type ListQuery, listAddress, submittedListQuery } from './list-query.ts';

/** Maximum number of short codes that are read from one form. A page of the list has fewer links. */
const MAX_SELECTED = 500;

/** HTML id of the form that contains all check boxes. */
const SELECTION_FORM = 'selection';

/**
 * Adds the pages that delete links, or restore deleted links. Their paths start with `/selection`, because
 * `/links/selection` could be the page of a link.
 */
export function addSelectionPages(pages: Pages, services: Services): void {
  const { store, clock, forgetLink } = services;

  pages.post('/selection', async (context) => {
    const { accountId } = context.var.session;
    const form = await readForm(context);
    const query = submittedListQuery(form);
    const codes = [...new Set(form.texts('code').filter(isStoredCode))].slice(0, MAX_SELECTED);
    if (codes.length === 0) return context.redirect(listAddress(query), 303);
    if (form.text('action') !== 'delete') throw new ApiError('invalid_request');
    const now = clock();
    const deleted = await store.links.remove(accountId, codes, now, now + UNDO_TIME_MS);
    for (const code of deleted) forgetLink(code);
    // If the form was sent again, for example because the response was lost, the links have already been deleted.
    const deletedAt = deleted.length > 0 ? now : (await store.links.find(accountId, codes[0] ?? ''))?.deletedAt;
    if (!deletedAt) throw new ApiError('not_found');
    return context.redirect(listAddress(firstPage(query), { deletedAt: String(deletedAt) }), 303);
  });

  pages.post('/selection/restore', async (context) => {
    const form = await readForm(context);
    const deletedAt = Number(form.text('deletedAt'));
    if (!Number.isSafeInteger(deletedAt)) throw new ApiError('not_found');
    const undo = { deletedAt, now: clock() };
    const restored = await store.links.restoreAll(context.var.session.accountId, undo, MAX_SELECTED);
    for (const code of restored) forgetLink(code);
    return context.redirect(listAddress(submittedListQuery(form), { restored: String(restored.length) }), 303);
  });
}

/** Draws the check box that selects a link. */
export function selectionBox(code: string): Html {
  return html`<label class="tick"><input type="checkbox" form="${SELECTION_FORM}" name="code" value="${code}" aria-label="Select ${splitStoredCode(code).code}"></label>`;
}

/** Draws the check box that selects all links on the page. A script shows it. */
export function selectAllBox(): Html {
  return html`<label class="tick" data-select-all hidden><input type="checkbox" aria-label="Select all on this page" autocomplete="off"></label>`;
}

/**
 * Draws the form with the actions for the selected links. The style sheet hides the form until a link is selected.
 * The check boxes belong to the form, so the actions also work without JavaScript.
 */
export function selectionBar(query: ListQuery): Html {
  return html`<form class="toolbar" id="${SELECTION_FORM}" method="post" action="/selection" aria-label="Actions for the selected links" autocomplete="off">
  <input type="hidden" name="list" value="${listAddress(query)}">
  <p class="selection-count" role="status" data-selected></p>
  <button class="button is-quiet" type="button" data-copy-selected hidden>${icon('copy')}<span data-copy-label aria-live="polite">Copy</span></button>
  <button class="button is-quiet is-danger" name="action" value="delete" type="submit">${icon('trash')}<span>Delete</span></button>
  <a class="icon-button" href="${listAddress(query)}" aria-label="Clear selection" title="Clear selection" data-clear>${icon('close')}</a>
</form>`;
}

/** Draws the message that links were deleted, with a button to undo the deletion. */
export function deletedNotice(count: number, deletedAt: number, query: ListQuery, times: DateFormats): Html {
  const [were, urls] =
    count === 1 ? ['was', 'Its short URL no longer works'] : ['were', 'Their short URLs no longer work'];
  return html`<div role="status"><form class="notice is-warning" method="post" action="/selection/restore">${icon('trash')}
  <p><span>${formatCount(count, 'link')} ${were} deleted. ${urls}. You can undo this on this page until ${times.minute(deletedAt + UNDO_TIME_MS)}.</span></p>
  <input type="hidden" name="deletedAt" value="${deletedAt}"><input type="hidden" name="list" value="${listAddress(query)}">
  <button class="button" type="submit">${icon('undo')}Undo</button></form></div>`;
}

/** Draws the message that deleted links were restored, or that no link could be restored. */
export function restoredNotice(count: number): Html {
  if (count > 0) return flashMessage(`${formatCount(count, 'link')} ${count === 1 ? 'was' : 'were'} restored.`);
  return html`<p class="notice is-warning" role="status">${icon('warning')}<span>Nothing was restored. Either this was already undone, or it is too late. A deletion can be undone for one day.</span></p>`;
}

const COLUMNS = [
  'shortCode',
  'shortUrl',
  'url',
  'title',
  'createdAt',
  'expiresAt',
  'clicks',
  'importedClicks',
  'forwardQuery',
  'tags',
] as const;

/** Number of links per database query. The server handles other requests between two queries. */
const BATCH_SIZE = 1000;

/** Adds a download of all links of the account, oldest first. */
export function addExportPages(pages: Pages, services: Services): void {
  const { store, clock } = services;

  async function* csvLines(accountId: number): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(COLUMNS);
    let after: StoredLink | null = null;
    for (;;) {
      const batch: StoredLink[] = await store.links.list(accountId, after, BATCH_SIZE, 'oldest');
      yield batch.map((link) => linkLine(linkJson(link, services))).join('');
      if (batch.length < BATCH_SIZE) return;
      after = batch.at(-1) ?? null;
      await tick();
    }
  }

  // The download starts before all links have been read from the database.
  pages.get('/links/export.csv', (context) => {
    const name = `terse-links-${new Date(clock()).toISOString().slice(0, 10)}.csv`;
    return context.body(streamText(csvLines(context.var.session.accountId)), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  });
}

/** Returns a response body that is generated while it is sent. Generation stops if the client disconnects. */
export function streamText(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  return streams.ReadableStream.from(parts).pipeThrough(new streams.TextEncoderStream()) as ReadableStream<Uint8Array>;
}

function linkLine(link: Link): string {
  const cells = { ...link, forwardQuery: String(link.forwardQuery), tags: (link.tags ?? []).join(', ') };
  return csvLine(COLUMNS.map((column) => cells[column] ?? null));
}
