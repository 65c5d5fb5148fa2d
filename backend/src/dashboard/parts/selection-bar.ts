import { type Html, html } from '../html.ts';
import { type ListQuery, listAddress } from '../list-query.ts';
import { icon } from './icon.ts';

/** The form that a row's box belongs to, wherever it stands on the page. */
const FORM = 'selection';

/** The box that takes a link of the list into the selection. */
export function selectionBox(code: string, isTicked: boolean): Html {
  return html`<label class="tick"><input type="checkbox" form="${FORM}" name="code" value="${code}" aria-label="Select ${code}" ${isTicked ? html`checked` : ''}></label>`;
}

/** What can be done with several links at once. Works without script: the boxes belong to this form. */
export function selectionBar(query: ListQuery): Html {
  return html`<form class="selection" id="${FORM}" method="post" action="/selection" aria-label="Several links">
  <input type="hidden" name="list" value="${listAddress(query)}">
  <a class="button is-quiet" href="${listAddress(query, { ticked: 'page' })}">${icon('check')}Select all on this page</a>
  <select class="input" name="scope" aria-label="Which links">
    <option value="ticked">Selected links</option>
    <option value="found">${query.search ? 'All links found' : 'All links'}</option>
  </select>
  <button class="button" name="action" value="csv" type="submit">${icon('down')}CSV</button>
  <button class="button" name="action" value="json" type="submit">${icon('down')}JSON</button>
  <button class="button is-danger" name="action" value="delete" type="submit">${icon('trash')}Delete…</button>
</form>`;
}
