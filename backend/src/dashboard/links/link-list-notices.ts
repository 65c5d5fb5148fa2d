import { readableUrl } from '@terse/contract';
import { type ShortBaseUrls, shortUrlOf, splitStoredCode } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatCount } from '../components/dates-and-numbers.ts';
import { copyIcon, flashMessage, type Html, html, icon, shortUrl } from '../components/html-elements.ts';
import { type ListQuery, linkAddress, listAddress } from './link-list-address.ts';

/** Result of the user's last action, such as a deletion. The list page shows the result as a message. */
export interface ListNotices {
  created: StoredLink | null;
  /** True if the browser has copied the short URL of the created link. */
  isCopied: boolean;
  deleted: StoredLink | null;
  restored: StoredLink | null;
  /** Links that were deleted together and can be restored. */
  deletedTogether: { count: number; deletedAt: number; undoUntil: number } | null;
  /** Number of links that were restored together. */
  restoredTogether: number | null;
  /** True if the user pressed Export or Delete without selecting a link. */
  nothingSelected: boolean;
}

interface NoticesContext {
  query: ListQuery;
  shortBaseUrls: ShortBaseUrls;
  now: number;
  times: DateFormats;
}

export function noticesView(notices: ListNotices, context: NoticesContext): Html {
  const { created, isCopied, deleted, restored, deletedTogether, restoredTogether } = notices;
  return html`${created ? createdNotice(created, isCopied, context.shortBaseUrls) : ''}
${deleted ? deletedNotice(deleted, context) : ''}
${restored ? html`<p class="notice is-good" role="status">${icon('check')}<span><bdi>${splitStoredCode(restored.code).code}</bdi> was restored.</span></p>` : ''}
${deletedTogether ? bulkDeletedNotice(deletedTogether, context) : ''}
${restoredTogether ? flashMessage(`${formatCount(restoredTogether, 'link')} ${restoredTogether === 1 ? 'was' : 'were'} restored.`) : ''}
${notices.nothingSelected ? html`<p class="notice is-danger" role="alert">${icon('warning')}<span>Select at least one link first.</span></p>` : ''}`;
}

function createdNotice({ code }: StoredLink, isCopied: boolean, shortBaseUrls: ShortBaseUrls): Html {
  const url = shortUrlOf(code, shortBaseUrls);
  return html`<div class="notice is-good" role="status" data-created="${readableUrl(url)}">${icon('check')}<p><span>Your link is ready${isCopied ? ' and copied' : ''}:</span> <a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrls, code)}</a></p>${copyIcon(readableUrl(url), 'Copy the short URL')}</div>`;
}

/** Draws the message that a link was deleted. The message has an undo button as long as the link can be restored. */
function deletedNotice({ code, deletedAt, undoUntil }: StoredLink, context: NoticesContext): Html {
  const message = html`<bdi>${splitStoredCode(code).code}</bdi> was deleted. Its short URL no longer works.`;
  if (undoUntil === null || undoUntil < context.now)
    return html`<p class="notice" role="status">${icon('trash')}<span>${message}</span></p>`;
  return undoForm(`${linkAddress(code)}/restore`, message, { deletedAt: deletedAt ?? 0, undoUntil }, context);
}

function bulkDeletedNotice(
  deleted: { count: number; deletedAt: number; undoUntil: number },
  context: NoticesContext,
): Html {
  const [were, urls] =
    deleted.count === 1 ? ['was', 'Its short URL no longer works'] : ['were', 'Their short URLs no longer work'];
  const message = html`${formatCount(deleted.count, 'link')} ${were} deleted. ${urls}.`;
  return undoForm('/selection/restore', message, deleted, context);
}

function undoForm(
  action: string,
  message: Html,
  { deletedAt, undoUntil }: { deletedAt: number; undoUntil: number },
  { query, times }: NoticesContext,
): Html {
  return html`<div role="status"><form class="notice is-warning" method="post" action="${action}">${icon('trash')}
  <p><span>${message} You can undo this on this page until ${times.minute(undoUntil)}.</span></p>
  <input type="hidden" name="deletedAt" value="${deletedAt}"><input type="hidden" name="list" value="${listAddress(query)}">
  <button class="button" type="submit">${icon('undo')}Undo</button></form></div>`;
}
