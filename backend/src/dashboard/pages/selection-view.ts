import type { StoredLink } from '../../store/store.ts';
import { type Html, html } from '../html.ts';
import { shortUrl } from '../parts/address.ts';
import { icon } from '../parts/icon.ts';
import type { Selection } from '../selection.ts';
import { count, figure } from '../words.ts';

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
    <p class="row-note">${count(link.clicks, 'click')}</p>
  </li>`,
  );
  const rest = links.length - rows.length;
  return html`<nav class="crumbs" aria-label="Up"><a href="${list}">${icon('back')}Links</a></nav>
<form class="card" method="post" action="/selection/delete">
  <div><h1>Delete ${count(links.length, 'link')}?</h1>
  <p class="card-intro">${links.length === 1 ? 'Its short URL stops working' : 'Their short URLs stop working'} at once. You can undo this for a day.</p></div>
  ${hasMore ? html`<p>These are the newest; you can delete at most ${figure(links.length)} at a time. Repeat this for the others.</p>` : ''}
  ${'codes' in selection ? selection.codes.map((code) => html`<input type="hidden" name="code" value="${code}">`) : html`<input type="hidden" name="scope" value="found"><input type="hidden" name="newest" value="${Math.max(0, ...links.map(({ id }) => id))}">`}
  <input type="hidden" name="list" value="${list}">
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Delete ${count(links.length, 'link')}</button><a class="button" href="${list}">Keep ${links.length === 1 ? 'it' : 'them'}</a></div>
  <ul class="rows" aria-label="Links to delete">${rows}</ul>
  ${rest > 0 ? html`<p>and ${figure(rest)} more</p>` : ''}
</form>`;
}
