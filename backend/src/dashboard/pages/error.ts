import { html } from '../html.ts';
import { type PageView, page } from '../layout.ts';
import type { PageContext } from '../page.ts';

const ERRORS = {
  403: [
    'Not allowed',
    'Your account may not do this, or the request did not come from this dashboard. Nothing was changed.',
  ],
  404: ['Not found', 'There is no such page, or it belongs to another account.'],
  405: ['Not possible here', 'This page does not accept this kind of request.'],
  410: ['Too late', 'This can no longer be undone.'],
  413: ['Too large', 'What you sent is larger than this page accepts. Nothing was changed.'],
  429: ['Too many searches', 'Please wait a second and try again. Nothing was changed.'],
  500: ['Something went wrong', 'This is our fault, and it was logged. Please try again in a moment.'],
  503: ['Not available right now', 'Please try again in a moment.'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** Answers with a page that says what went wrong. */
export function errorPage(context: PageContext, status: ErrorStatus): Response | Promise<Response> {
  return page(context, errorView(status));
}

/** The same for any status. A sentence, where given, says more than the status does. */
export function errorView(status: number, sentence?: string): PageView {
  const [title, standard] = Object.hasOwn(ERRORS, status) ? ERRORS[status as ErrorStatus] : ['This did not work', ''];
  const body = html`<div class="card is-centred"><h1>${title}</h1><p>${sentence ?? standard}</p>
  <div class="actions"><a class="button" href="/">To the dashboard</a></div></div>`;
  return { title, body, section: null, status: status as ErrorStatus, isNarrow: true };
}
