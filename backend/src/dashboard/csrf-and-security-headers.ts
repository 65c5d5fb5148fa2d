import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { PageEnv } from './page-definition.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Content security policy that allows only the dashboard's own files. Inline scripts, inline styles and frames are
 * blocked.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // `isSameOrigin` needs the `Origin` header. With `no-referrer`, browsers would send `Origin: null` with form
  // submissions.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'X-Robots-Tag': 'noindex',
};

/**
 * True if a request cannot change data, or if a page of this dashboard sent the request. Browsers send
 * `Sec-Fetch-Site` only over https, so `Origin` is checked on plain http. Form submissions without either header are
 * refused.
 */
export function isSameOrigin(request: HonoRequest, baseUrl: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = request.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('Origin');
  return origin !== undefined && (origin === baseUrl || URL.parse(origin)?.host === request.header('Host'));
}

/**
 * True if the user came to this page from another site. Over plain HTTP, the result is always false, because browsers
 * send `Sec-Fetch-Site` only over HTTPS.
 */
export function isFromOtherSite(request: HonoRequest): boolean {
  return ['cross-site', 'same-site'].includes(request.header('Sec-Fetch-Site') ?? '');
}

/** Adds the security headers to every page, including error pages. */
export const securityHeaders: MiddlewareHandler<PageEnv> = async (context, next) => {
  await next();
  addSecurityHeaders(context.res);
};

export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}
