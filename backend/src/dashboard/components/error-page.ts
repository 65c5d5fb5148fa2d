import { ERROR_STATUS, type ErrorCode } from '@terse/contract';
import type { Context, HonoRequest } from 'hono';
import { addSecurityHeaders } from '../csrf-and-security-headers.ts';
import type { Page, PageContext } from '../page-definition.ts';
import { html } from './html-elements.ts';
import { type PageView, page, renderPage } from './layout.ts';

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

/** A handler for one thing of an account, such as a link; where it is not found, the answer is a page that says so. */
export function ifFound<T>(
  find: (context: PageContext) => Promise<T | null>,
  handle: (context: PageContext, found: T) => Response | Promise<Response>,
): Page['handle'] {
  return async (context) => {
    const found = await find(context);
    return found === null ? errorPage(context, 404) : handle(context, found);
  };
}

/** Whether a request comes from a browser and is not for the API: then an error is a page, not JSON. */
export function wantsHtml(request: HonoRequest): boolean {
  return !/^\/api(\/|$)/.test(request.path) && /\btext\/html\b/.test(request.header('Accept') ?? '');
}

/** An error of the API as a page. */
export async function apiErrorPage(
  context: Context,
  error: { code: ErrorCode; message: string; headers: Record<string, string> },
): Promise<Response> {
  const status = ERROR_STATUS[error.code];
  // The page has a better sentence for an internal error than the API.
  const sentence = error.code === 'internal_error' ? undefined : error.message;
  const response = await context.html(renderPage(errorView(status, sentence)), status);
  for (const [name, value] of Object.entries(error.headers)) response.headers.set(name, value);
  return addSecurityHeaders(response);
}
