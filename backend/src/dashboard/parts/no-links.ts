import { type Html, html } from '../html.ts';
import { mark } from './icon.ts';

/** What an account without links can do next. */
export function noLinks(): Html {
  return html`<section class="empty">${mark()}<h2 class="empty-title">No links yet</h2>
  <p><a href="/links/new">Create one</a>, connect the extension with a <a href="/keys">key</a>, or <a href="/links/import">import links</a> from another service.</p></section>`;
}
