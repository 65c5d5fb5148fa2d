import { type Html, html } from '../html.ts';
import { icon } from './icon.ts';

/** Says what has just been done, once, at the top of the page. */
export function flashMessage(sentence: string): Html {
  return html`<p class="flash is-good" role="status">${icon('check')}<span>${sentence}</span></p>`;
}
