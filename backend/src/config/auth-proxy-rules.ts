import type { TrustedProxies } from '../http/client-address.ts';

/**
 * Common HTTP headers with other purposes. The operator cannot choose one for the name of the signed-in user, because
 * clients could forge the name.
 */
const OTHER_HEADERS = new RegExp(
  `^(?:${[
    '(?:accept|access-control|content|if|proxy|sec|x-original)(?:-.*)?',
    'authorization|x-api-key|cookie|set-cookie|user-agent|referer|origin|from|dnt|save-data|priority|purpose|x-requested-with',
    'host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|expect|max-forwards',
    'cache-control|pragma|date|range|early-data|alt-used|last-event-id|ping-from|ping-to|service-worker.*',
    'via|forwarded|x-forwarded-(?:for|host|proto|protocol|port|server|prefix|scheme|ssl|method|uri|by)',
    'x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cdn-loop|cf-(?:connecting-ip.*|ipcountry|ray|visitor)',
    'x-request-id|x-correlation-id|traceparent|tracestate|idempotency-key|x-http-method-override',
  ].join('|')})$`,
);

/**
 * Returns the reason why a proxy must not send the user's name in this header, or null if the header is suitable.
 *
 * @param header name of the header in lower case
 */
export function authProxyProblem(
  header: string,
  { countryHeader, proxies }: { countryHeader: string | undefined; proxies: TrustedProxies },
): string | null {
  if (OTHER_HEADERS.test(header) || header === countryHeader) {
    return 'must be a header that has no other purpose, such as Remote-User';
  }
  // `proxies` is an array only if no trusted proxies are configured.
  if (Array.isArray(proxies)) return 'needs TERSE_TRUSTED_PROXIES, because only a trusted proxy may name the user';
  return trustsInternet(proxies)
    ? 'needs narrower networks in TERSE_TRUSTED_PROXIES, because each client in them may name the user'
    : null;
}

/**
 * True if the trusted proxies cover large parts of the Internet: at least two public networks with the prefix length
 * /8.
 */
function trustsInternet(proxies: TrustedProxies): boolean {
  const isTrusted = (first: string, last: string) => proxies.includes(first) && proxies.includes(last);
  const numbers = Array.from({ length: 224 }, (_, number) => number).filter((number) => ![0, 10, 127].includes(number));
  const ipv4 = numbers.filter((number) => isTrusted(`${number}.0.0.1`, `${number}.255.255.254`));
  // Public IPv6 addresses begin with the bits 001 (RFC 4291, section 2.4).
  const prefixes = numbers.filter((number) => number >> 5 === 1).map((number) => number.toString(16));
  const ipv6 = prefixes.filter((prefix) => isTrusted(`${prefix}00::1`, `${prefix}ff:ffff::1`));
  return ipv4.length > 1 || ipv6.length > 1;
}
