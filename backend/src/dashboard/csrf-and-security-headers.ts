import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { PageEnv } from './page-definition.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether a request that changes something was sent by one of our own pages. Browsers say so in `Sec-Fetch-Site` (W3C
 * Fetch Metadata), which no page can forge, or in `Origin` where that is missing (over plain http). A request with
 * neither is refused: every browser sends one of them with a form.
 */
export function isSameOrigin(request: HonoRequest, baseUrl: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = request.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('Origin');
  return origin !== undefined && (origin === baseUrl || URL.parse(origin)?.host === request.header('Host'));
}

/** Allows our own files alone: no inline script or style, no frames, no forms that lead elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // Only our own pages get a Referer. With `no-referrer`, browsers would send no Origin with a form.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'X-Robots-Tag': 'noindex',
};

/** Sets the headers that every page has, error pages included. */
export const securityHeaders: MiddlewareHandler<PageEnv> = async (context, next) => {
  await next();
  addSecurityHeaders(context.res);
};

export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}
