import { type Html, html } from '../html.ts';
import { icon } from './icon.ts';

/** What has just been done, told once at the head of the page. */
export function said(sentence: string): Html {
  return html`<p class="said is-good" role="status">${icon('check')}<span>${sentence}</span></p>`;
}
