import { ERROR_STATUS, type ErrorCode } from '@terse/contract';
import type { Context, HonoRequest } from 'hono';
import { withSecurityHeaders } from './headers.ts';
import { render } from './layout.ts';
import { errorView } from './pages/error.ts';

/** Whether a request comes from a browser and is not for the API: then an error is a page, not JSON. */
export function asksForPage(request: HonoRequest): boolean {
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
  const response = await context.html(render(errorView(status, sentence)), status);
  for (const [name, value] of Object.entries(error.headers)) response.headers.set(name, value);
  return withSecurityHeaders(response);
}
