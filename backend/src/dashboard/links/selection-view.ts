import { splitStoredCode } from '../../domain/links/short-domains.ts';
import { type Html, html, icon, menu } from '../components/html-elements.ts';
import { type ListQuery, listAddress } from './link-list-address.ts';

/** HTML id of the form that contains all check boxes. */
const SELECTION_FORM = 'selection';

/** Draws the check box that selects a link. */
export function selectionBox(code: string, isTicked: boolean): Html {
  return html`<label class="tick"><input type="checkbox" form="${SELECTION_FORM}" name="code" value="${code}" aria-label="Select ${splitStoredCode(code).code}" ${isTicked ? html`checked` : ''}></label>`;
}

/**
 * Draws the check box that selects all links on the page. Without JavaScript, a hyperlink reloads the page with all
 * links selected.
 */
export function selectAllBox(query: ListQuery): Html {
  return html`<label class="tick" data-select-all hidden><input type="checkbox" aria-label="Select all on this page" autocomplete="off"></label>
  <noscript><a class="button is-quiet" href="${listAddress(query, { ticked: 'page' })}">Select all on this page</a></noscript>`;
}

/**
 * Draws the form with the actions for the selected links. The style sheet hides the form until a link is selected.
 * The check boxes belong to the form, so the actions also work without JavaScript.
 */
export function selectionBar(query: ListQuery): Html {
  const formats = ['csv', 'json'].map(
    (format) =>
      html`<button class="menu-item" name="action" value="${format}" type="submit">${format.toUpperCase()}</button>`,
  );
  return html`<form class="selection" id="${SELECTION_FORM}" method="post" action="/selection" aria-label="Actions for the selected links" autocomplete="off">
  <input type="hidden" name="list" value="${listAddress(query)}">
  <p class="selection-count" role="status" data-selected></p>
  <button class="button is-quiet" type="button" data-copy-selected hidden>${icon('copy')}<span data-copy-label aria-live="polite">Copy</span></button>
  ${menu('Export', html`${icon('down')}<span>Export</span>`, formats, 'button is-quiet')}
  <button class="button is-quiet is-danger" name="action" value="delete" type="submit">${icon('trash')}<span>Delete…</span></button>
  <a class="icon-button" href="${listAddress(query)}" aria-label="Clear selection" title="Clear selection" data-clear>${icon('close')}</a>
</form>`;
}
