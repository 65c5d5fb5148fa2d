import { type Html, html } from '../html.ts';
import { icon } from './icon.ts';

/** A button that copies a text. Without script it stays hidden: the text itself stands beside it. */
export function copyButton(text: string, label: string): Html {
  return html`<button type="button" class="button" data-copy="${text}" hidden>${icon('copy')}<span data-copy-label aria-live="polite">${label}</span></button>`;
}

/** The same, small, for rows. */
export function copyIcon(text: string, label: string): Html {
  return html`<button type="button" class="icon-button" data-copy="${text}" aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`;
}
