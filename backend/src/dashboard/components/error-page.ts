import { ERROR_STATUS, type ErrorCode } from '@terse/contract';
import type { Context, HonoRequest } from 'hono';
import { addSecurityHeaders } from '../csrf-and-security-headers.ts';
import type { Page, PageContext } from '../page-definition.ts';
import { html } from './html-elements.ts';
import { type PageView, page, renderPage } from './layout.ts';

const ERRORS = {
  403: [
    'Not allowed',
    'Your account has no access to this page, or the form was sent from another site. Nothing was changed.',
  ],
  404: ['Not found', 'This page does not exist, or it belongs to another account.'],
  405: ['Not supported', 'This page does not support this kind of request.'],
  410: [
    'Nothing was restored',
    'Either this was already undone, or it is too late. A deletion can be undone for one day.',
  ],
  413: ['Too large', 'The upload is larger than this page accepts. Nothing was changed.'],
  429: ['Too many searches', 'Wait a second and try again. Nothing was changed.'],
  500: ['Something went wrong', 'The error was logged. Try again in a moment.'],
  503: ['Temporarily unavailable', 'Try again in a moment.'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

export function errorPage(context: PageContext, status: ErrorStatus): Response | Promise<Response> {
  return page(context, errorView(status));
}

/** Returns the error page for an HTTP status. `message` replaces the standard message. */
export function errorView(status: number, message?: string): PageView {
  const [title, standard] = Object.hasOwn(ERRORS, status)
    ? ERRORS[status as ErrorStatus]
    : ['Something went wrong', ''];
  const body = html`<div class="card is-centred"><h1>${title}</h1><p>${message ?? standard}</p>
  <div class="actions"><a class="button" href="/">Go to the dashboard</a></div></div>`;
  return { title, body, section: null, status: status as ErrorStatus, isNarrow: true };
}

/**
 * Returns a handler that loads an object, such as a link, and passes the object to `handle`. If the object does not
 * exist, the response is a 404 page.
 */
export function ifFound<T>(
  find: (context: PageContext) => Promise<T | null>,
  handle: (context: PageContext, found: T) => Response | Promise<Response>,
): Page['handle'] {
  return async (context) => {
    const found = await find(context);
    return found === null ? errorPage(context, 404) : handle(context, found);
  };
}

/**
 * True if a browser sent the request and the path is not part of the API. Errors are then shown as HTML pages instead
 * of JSON.
 */
export function wantsHtml(request: HonoRequest): boolean {
  return !/^\/api(\/|$)/.test(request.path) && /\btext\/html\b/.test(request.header('Accept') ?? '');
}

/** Shows an API error as a page. */
export async function apiErrorPage(
  context: Context,
  error: { code: ErrorCode; message: string; headers: Record<string, string> },
): Promise<Response> {
  const status = ERROR_STATUS[error.code];
  // For internal errors, the standard message of the error page is better than the message of the API.
  const message = error.code === 'internal_error' ? undefined : error.message;
  const response = await context.html(renderPage(errorView(status, message)), status);
  for (const [name, value] of Object.entries(error.headers)) response.headers.set(name, value);
  return addSecurityHeaders(response);
}
