import { ICON_PATHS, type IconName } from '@terse/design';
import { html } from 'hono/html';

/** A piece of a page. Whatever is put into the template is escaped, unless it is such a piece itself. */
export type Html = ReturnType<typeof html>;

export { html };

/** Decorative: the name of a control says what it does. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${ICON_PATHS[name]}"/></svg>`;
}

/** The mark: a T that comes to its full stop. The same shapes as design/icon.svg. */
export function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="mark-ground" width="16" height="16" rx="4"/><path class="mark-letter" d="M4 5h6M7 5v6"/><circle class="mark-stop" cx="12" cy="11" r="1.25"/></svg>`;
}

/** A button that copies a text. Without script it stays hidden: the text itself stands beside it. */
export function copyButton(text: string, label: string): Html {
  return html`<button type="button" class="button" data-copy="${text}" hidden>${icon('copy')}<span data-copy-label aria-live="polite">${label}</span></button>`;
}

/** The same, small, for rows. */
export function copyIcon(text: string, label: string): Html {
  return html`<button type="button" class="icon-button" data-copy="${text}" aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`;
}

/** Says what has just been done, once, at the top of the page. */
export function flashMessage(sentence: string): Html {
  return html`<p class="flash is-good" role="status">${icon('check')}<span>${sentence}</span></p>`;
}

/** A short URL without its scheme, its code standing out. */
export function shortUrl(shortBaseUrl: string, code: string): Html {
  const host = shortBaseUrl.replace(/^https?:\/\//, '');
  return html`<span class="short-host">${host}/</span><span class="short-code">${code}</span>`;
}

/** What an account without links can do next. */
export function noLinks(): Html {
  return html`<section class="empty">${mark()}<h2 class="empty-title">No links yet</h2>
  <p><a href="/links/new">Create one</a>, connect the extension with a <a href="/keys">key</a>, or <a href="/links/import">import links</a> from another service.</p></section>`;
}
