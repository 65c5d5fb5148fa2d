import type { HonoRequest } from 'hono';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether a request that changes something was sent by one of our own pages. Browsers say so in `Sec-Fetch-Site` (W3C
 * Fetch Metadata), which no page can forge, or in `Origin` where that is missing (over plain http). A request with
 * neither is refused: every browser sends one of them with a form.
 */
export function isSameOrigin(request: HonoRequest, baseUrl: string): boolean {
  if (SAFE.has(request.method)) return true;
  const site = request.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('Origin');
  return origin !== undefined && (origin === baseUrl || URL.parse(origin)?.host === request.header('Host'));
}
