import { ERROR_STATUS, type ErrorCode } from '@terse/contract';
import type { Context, HonoRequest } from 'hono';
import { withSecurityHeaders } from './headers.ts';
import { render } from './layout.ts';
import { errorView } from './pages/error.ts';

/** Whether a person's browser asks, outside the API: then an error is a page, not JSON. */
export function asksForPage(request: HonoRequest): boolean {
  return !/^\/api(\/|$)/.test(request.path) && /\btext\/html\b/.test(request.header('Accept') ?? '');
}

/** A refusal of the API's as a page. */
export async function refusalPage(
  context: Context,
  refusal: { code: ErrorCode; message: string; headers: Record<string, string> },
): Promise<Response> {
  const status = ERROR_STATUS[refusal.code];
  // Of a failure of our own a page has more to say than a program needs.
  const sentence = refusal.code === 'internal_error' ? undefined : refusal.message;
  const response = await context.html(render(errorView(status, sentence)), status);
  for (const [name, value] of Object.entries(refusal.headers)) response.headers.set(name, value);
  return withSecurityHeaders(response);
}
