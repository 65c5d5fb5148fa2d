import { html } from '../html.ts';
import { type PageView, page } from '../layout.ts';
import type { PageContext } from '../page.ts';

const ERRORS = {
  403: [
    'Not allowed',
    'This did not come from a page of this dashboard, or your account may not do it. Nothing was changed.',
  ],
  404: ['Not found', 'There is nothing at this address, or it belongs to another account.'],
  405: ['Not that way', 'This address does not take that kind of request.'],
  410: ['Too late', 'This can no longer be undone.'],
  413: ['Too large', 'What was sent is larger than this page takes. Nothing was changed.'],
  500: ['Something went wrong', 'The fault is ours, and it has been noted. Try again in a moment.'],
  503: ['Not available just now', 'Try again in a moment.'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** Answers with a page that says why there is no other. */
export function errorPage(context: PageContext, status: ErrorStatus): Response | Promise<Response> {
  return page(context, errorView(status));
}

/** The same for any status; a sentence of its own says more than the status does. */
export function errorView(status: number, sentence?: string): PageView {
  const [title, standard] = Object.hasOwn(ERRORS, status) ? ERRORS[status as ErrorStatus] : ['This did not work', ''];
  const body = html`<div class="card is-centred"><h1>${title}</h1><p>${sentence ?? standard}</p>
  <div class="actions"><a class="button" href="/">To the dashboard</a></div></div>`;
  return { title, body, section: null, status: status as ErrorStatus, isNarrow: true };
}
