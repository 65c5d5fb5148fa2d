import { ERROR_STATUS } from '@terse/contract';
import type { Context, HonoRequest } from 'hono';
import { type ApiError, messageOf } from '../../http/api-error.ts';
import { securityHeaders } from '../csrf-and-security-headers.ts';
import { html } from './html-elements.ts';
import { renderPage } from './layout.ts';

/** Title of the error page for each HTTP status, and the text that replaces the standard message of the API. */
const ERRORS: Record<number, [title: string, text?: string] | undefined> = {
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
  503: ['Temporarily unavailable'],
};

/**
 * True if a browser sent the request and the path is not part of the API. Errors are then shown as HTML pages instead
 * of JSON.
 */
export function wantsHtml(request: HonoRequest): boolean {
  return !/^\/api(\/|$)/.test(request.path) && /\btext\/html\b/.test(request.header('Accept') ?? '');
}

/** Shows an error as a page. */
export async function errorPage(context: Context, { code, message, headers }: ApiError): Promise<Response> {
  const status = ERROR_STATUS[code];
  const [title, standard = message] = ERRORS[status] ?? ['Something went wrong'];
  const text = message === messageOf(code) ? standard : message;
  const body = html`<div class="card is-centred"><h1>${title}</h1><p>${text}</p>
  <div class="actions"><a class="button" href="/">Go to the dashboard</a></div></div>`;
  context.res = await context.html(renderPage({ title, body, section: null, isNarrow: true }), status, headers);
  await securityHeaders(context, async () => {});
  return context.res;
}
