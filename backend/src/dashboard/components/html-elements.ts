import { ICON_PATHS, type IconName } from '@terse/design';
import { html } from 'hono/html';

/** HTML fragment. Values in the template are escaped, except other fragments. */
export type Html = ReturnType<typeof html>;

export { html };

/** Draws a decorative icon, which screen readers skip. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${ICON_PATHS[name]}"/></svg>`;
}

/** Draws the logo with the same shapes as design/icon.svg. */
export function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="mark-ground" width="16" height="16" rx="4"/><path class="mark-letter" d="M4 5h6M7 5v6"/><circle class="mark-stop" cx="12" cy="11" r="1.25"/></svg>`;
}

/** Draws a button that copies a text. The button is hidden without script, so the page must also show the text. */
export function copyButton(text: string, label: string): Html {
  return html`<button type="button" class="button" data-copy="${text}" hidden>${icon('copy')}<span data-copy-label aria-live="polite">${label}</span></button>`;
}

export function copyIcon(text: string, label: string): Html {
  return html`<button type="button" class="icon-button" data-copy="${text}" aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`;
}

/** Draws the message that confirms an action at the top of the page. */
export function flashMessage(message: string): Html {
  return html`<p class="flash is-good" role="status">${icon('check')}<span>${message}</span></p>`;
}

/** Draws a short URL without `https://`, and emphasizes its short code. */
export function shortUrl(shortBaseUrl: string, code: string): Html {
  const host = shortBaseUrl.replace(/^https?:\/\//, '');
  return html`<span class="short-host">${host}/</span><span class="short-code">${code}</span>`;
}

/** Draws the message that replaces an empty list of links. */
export function noLinks(): Html {
  return html`<section class="empty">${mark()}<h2 class="empty-title">No links yet</h2>
  <p><a href="/links/new">Create one</a>, connect the extension with an <a href="/keys">API key</a>, or <a href="/links/import">import links</a> from another service.</p></section>`;
}
