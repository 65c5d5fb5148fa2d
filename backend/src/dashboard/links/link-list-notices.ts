import { codePath } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatCount } from '../components/dates-and-numbers.ts';
import { copyIcon, flashMessage, type Html, html, icon, shortUrl } from '../components/html-elements.ts';
import { type ListQuery, linkAddress, listAddress } from './link-list-address.ts';

/** What was done just before, as the list's address has it; null where it was not. */
export interface ListNotes {
  made: StoredLink | null;
  deleted: StoredLink | null;
  restored: StoredLink | null;
  /** Several links that were deleted together and can be restored. */
  deletedTogether: { count: number; deletedAt: number; undoUntil: number } | null;
  /** How many were restored together. */
  restoredTogether: number | null;
  /** Whether something was to be done with selected links, and none was. */
  nothingSelected: boolean;
}

interface NotesContext {
  query: ListQuery;
  shortBaseUrl: string;
  now: number;
  times: DateFormats;
}

/** Says above the list what was done just before. */
export function notesAbove(notes: ListNotes, context: NotesContext): Html {
  const { made, deleted, restored, deletedTogether, restoredTogether } = notes;
  return html`${made ? madeNote(made, context.shortBaseUrl) : ''}
${deleted ? deletedNote(deleted, context) : ''}
${restored ? html`<p class="flash is-good" role="status">${icon('check')}<span><bdi>${restored.code}</bdi> is restored.</span></p>` : ''}
${deletedTogether ? deletedTogetherNote(deletedTogether, context) : ''}
${restoredTogether ? flashMessage(`${formatCount(restoredTogether, 'link')} ${restoredTogether === 1 ? 'is' : 'are'} restored.`) : ''}
${notes.nothingSelected ? html`<p class="flash is-danger" role="alert">${icon('warning')}<span>Select at least one link first.</span></p>` : ''}`;
}

function madeNote({ code }: StoredLink, shortBaseUrl: string): Html {
  const url = `${shortBaseUrl}/${codePath(code)}`;
  return html`<div class="made" role="status">${icon('check')}<p><span>Your link is ready:</span> <a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrl, code)}</a></p>${copyIcon(url, 'Copy the short URL')}</div>`;
}

/** Says that a link was deleted, and offers to undo it where that is possible. */
function deletedNote({ code, deletedAt, undoUntil }: StoredLink, context: NotesContext): Html {
  const gone = html`<bdi>${code}</bdi> is deleted: its short URL no longer works.`;
  if (undoUntil === null || undoUntil < context.now)
    return html`<p class="flash" role="status">${icon('trash')}<span>${gone}</span></p>`;
  return undoForm(`${linkAddress(code)}/restore`, gone, { deletedAt: deletedAt ?? 0, undoUntil }, context);
}

function deletedTogetherNote(
  deleted: { count: number; deletedAt: number; undoUntil: number },
  context: NotesContext,
): Html {
  const [are, urls] =
    deleted.count === 1 ? ['is', 'its short URL no longer works'] : ['are', 'their short URLs no longer work'];
  const gone = html`${formatCount(deleted.count, 'link')} ${are} deleted: ${urls}.`;
  return undoForm('/selection/restore', gone, deleted, context);
}

function undoForm(
  action: string,
  gone: Html,
  { deletedAt, undoUntil }: { deletedAt: number; undoUntil: number },
  { query, times }: NotesContext,
): Html {
  return html`<div role="status"><form class="made is-deleted" method="post" action="${action}">${icon('trash')}
  <p><span>${gone} You can undo this on this page until ${times.minute(undoUntil)}.</span></p>
  <input type="hidden" name="deletedAt" value="${deletedAt}"><input type="hidden" name="list" value="${listAddress(query)}">
  <button class="button" type="submit">${icon('undo')}Undo</button></form></div>`;
}
