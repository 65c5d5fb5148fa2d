import { type Html, html } from '../html.ts';

/** A short URL without its scheme, its code standing out. */
export function shortUrl(shortBaseUrl: string, code: string): Html {
  const host = shortBaseUrl.replace(/^https?:\/\//, '');
  return html`<span class="short-host">${host}/</span><span class="short-code">${code}</span>`;
}
