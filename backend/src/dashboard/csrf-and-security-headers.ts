import type { HonoRequest } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Security headers of the dashboard and of error pages. Inline scripts, inline styles, frames and files of other hosts
 * are blocked.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
  xFrameOptions: 'DENY',
  // `isSameOrigin` needs the `Origin` header. With `no-referrer`, browsers would send `Origin: null` with form
  // submissions.
  referrerPolicy: 'same-origin',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  // The operator decides if all hosts of this domain require https.
  strictTransportSecurity: false,
});

/**
 * True if a request cannot change data, or if a page of this dashboard sent the request. Browsers send
 * `Sec-Fetch-Site` only over https, so `Origin` is checked on plain http. Requests without either header are refused,
 * whatever their content type.
 */
export function isSameOrigin(request: HonoRequest, baseUrl: string): boolean {
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method)) return true;
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
