import { isLoopback } from '@terse/contract/connection-link';
import { isPrivateTarget, plainHost, REFUSED_TARGET } from '@terse/contract/target-host';
import type { Connection, Link } from './types.ts';

/** True if a link can be reused for its URL: it has a connection, its service still lists it, and it has not expired. */
export function isLive({ connectionId, unlisted, expiresAt }: Link, now: number): boolean {
  return connectionId !== null && !unlisted && (expiresAt === null || expiresAt > now);
}

/** True if the service of a connection says that it refuses such a URL. Sending it would only cost quota. */
export function isRefusedTarget({ baseUrl, service }: Connection, href: string): boolean {
  if (!service?.refusedTargets) return false;
  const { refusedTargets, shortBaseUrl } = service;
  const url = new URL(href);
  if (refusedTargets.includes(REFUSED_TARGET.private) && isPrivateTarget(url)) return true;
  const owns = (own: string) => isSameHost(url, new URL(own));
  return refusedTargets.includes(REFUSED_TARGET.own) && [baseUrl, shortBaseUrl].some(owns);
}

/** On loopback each port can be another service, and all spellings of this computer are the same host. */
function isSameHost(url: URL, own: URL): boolean {
  if (isLoopback(own.hostname)) return isLoopback(plainHost(url)) && url.port === own.port;
  return plainHost(url) === plainHost(own);
}
