import { readableHost, readableParts, readableUrl } from '@terse/contract';
import { ICON_PATHS, type IconName } from '@terse/design';
import { html } from 'hono/html';
import {
  domainOf,
  isReserved,
  isShortCode,
  type ShortBaseUrls,
  splitStoredCode,
} from '../../domain/links/short-codes.ts';

/** HTML fragment, created with the template tag `html`. The tag escapes all values except other HTML fragments. */
export type Html = ReturnType<typeof html>;

export { html };

/** Draws a decorative icon, which is hidden from screen readers. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${ICON_PATHS[name]}"/></svg>`;
}

/** Draws the logo. The shapes are the same as in design/icon.svg. */
export function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="mark-ground" width="16" height="16" rx="4"/><path class="mark-letter" d="M4 5h6M7 5v6"/><circle class="mark-stop" cx="12" cy="11" r="1.25"/></svg>`;
}

/**
 * Draws a button that copies `text` to the clipboard. The page must also show the text, because the button is hidden
 * if JavaScript is disabled.
 */
export function copyButton(text: string, label: string, style = 'button'): Html {
  return html`<button type="button" class="${style}" data-copy="${text}" hidden>${icon('copy')}<span data-copy-label aria-live="polite">${label}</span></button>`;
}

export function copyIcon(text: string, label: string): Html {
  return html`<button type="button" class="icon-button" data-copy="${text}" aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`;
}

/** Draws the confirmation message for an action, at the top of the page. */
export function flashMessage(message: string): Html {
  return html`<p class="notice is-good" role="status">${icon('check')}<span>${message}</span></p>`;
}

/** Draws a short URL without `https://`, and emphasizes its short code. On phones, the style sheet hides the host. */
export function shortUrl(shortBaseUrls: ShortBaseUrls, stored: string): Html {
  const host = readableHost(domainOf(stored, shortBaseUrls));
  const { code } = splitStoredCode(stored);
  return html`<span class="short-host"><span>${host}</span>/</span><span class="short-code">${code}</span>`;
}

/** Draws the title of a link, or its long URL if it has no title. */
export function linkName({ title, url }: { title: string | null; url: string }): Html {
  return title ? html`<bdi class="line">${title}</bdi>` : address(url);
}

/** Draws a long URL on one line, decoded and without `https://`. The tooltip shows it in full. */
export function address(url: string, style = ''): Html {
  const parts = readableParts(url);
  return html`<bdi class="line ${style}" dir="ltr" title="${readableUrl(url)}">${parts ? parts.host + parts.rest : url}</bdi>`;
}

/**
 * Returns the path of a link's page. Codes that users cannot choose for a new link are prefixed with an escaped
 * slash. Otherwise, the code `import` would conflict with the path `/links/import`.
 */
export function linkAddress(code: string): string {
  return `/links/${isShortCode(code) && !isReserved(code) ? code : `%2F${encodeURIComponent(code)}`}`;
}

/** Draws a button that opens a menu. Menus also work without JavaScript. */
export function menu(label: string, summary: Html, items: Html[], style = 'icon-button'): Html {
  return html`<details class="menu" name="menu"><summary class="${style}" aria-label="${label}" title="${label}">${summary}</summary>
  <ul class="menu-items">${items.map((item) => html`<li>${item}</li>`)}</ul></details>`;
}

/** Draws the menu item that deletes a single link. After the deletion, the list offers to undo it. */
export function deleteItem(code: string, list = '/links'): Html {
  return html`<form method="post" action="/selection"><input type="hidden" name="code" value="${code}"><input type="hidden" name="list" value="${list}"><button class="menu-item is-danger" name="action" value="delete" type="submit">${icon('trash')}<span>Delete<small>The short URL stops working</small></span></button></form>`;
}

/** Draws the message that is shown instead of an empty list of links. */
export function noLinks(): Html {
  return html`<section class="empty">${mark()}<h2>No links yet</h2>
  <p>Create one here, connect the extension with an <a href="/keys">API key</a>, or <a href="/links/import">import links</a> from another service.</p></section>`;
}

interface Panel {
  id: string;
  title: string;
  content: Html;
  /** True if the panel stays hidden when JavaScript is disabled. Another page must then offer the same content. */
  needsScript?: boolean;
}

/**
 * Draws a panel. A script turns the panel into a dialog, which opens when the user clicks an element with
 * `data-opens`. Without JavaScript, the panel is a normal section of the page.
 */
export function panel({ id, title, content, needsScript = false }: Panel): Html {
  return html`<section class="panel card" id="${id}" aria-labelledby="${id}-title" data-panel ${needsScript ? html`hidden` : ''}>
  <div class="panel-head"><h2 id="${id}-title">${title}</h2><button type="button" class="icon-button" aria-label="Close" title="Close" data-close hidden>${icon('close')}</button></div>
  ${content}
</section>`;
}
