import { plainHost } from '@terse/contract';
import { hasEmptyLabel, isLoopbackHost, isPrivateHost, plainAddress } from './hosts.ts';

/** The longest URL taken, in bytes of its stored form. */
export const URL_LIMIT = 2048;

export interface TargetRules {
  /** Addresses the service answers on. A link to one of them could lead to itself. */
  ownUrls: readonly string[];
  /** Whether links may lead to private, loopback and other hosts the public cannot reach. */
  allowPrivate: boolean;
  /** Whether the operator has forbidden links to a plain host. */
  blocks(host: string): boolean;
}

export type Target = { href: string } | { refused: 'invalid_url' | 'target_refused' };

/**
 * Validates a long URL. The WHATWG URL standard must parse it as `http:` or `https:`, without user info and at most 2,048
 * bytes long. Its host must have no empty label, and be neither the service's own, nor blocked, nor private unless allowed.
 *
 * @returns the standard's serialisation, which is what is stored and redirected to, or why there is none
 */
export function validateTarget(text: string, rules: TargetRules): Target {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return { refused: 'invalid_url' };
  if (url.username || url.password || hasEmptyLabel(plainHost(url))) return { refused: 'invalid_url' };
  if (Buffer.byteLength(url.href) > URL_LIMIT) return { refused: 'invalid_url' };
  if (!rules.allowPrivate && isPrivateHost(plainHost(url))) return { refused: 'target_refused' };
  if (rules.ownUrls.some((own) => leadsTo(url, new URL(own)))) return { refused: 'target_refused' };
  if (rules.blocks(plainHost(url))) return { refused: 'target_refused' };
  return { href: url.href };
}

/**
 * A public host is the service's own on every port. On loopback each port can be another service, and all spellings of
 * this machine are the same host.
 */
function leadsTo(url: URL, own: URL): boolean {
  const host = plainHost(url);
  const ownHost = plainHost(own);
  if (isLoopbackHost(ownHost)) return isLoopbackHost(host) && port(url) === port(own);
  return plainAddress(host) === plainAddress(ownHost);
}

function port(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
