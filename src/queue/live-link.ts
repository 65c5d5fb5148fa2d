import type { Link } from './types.ts';

/** True if a link can be given for its URL again: a service has confirmed it, still lists it, and it has not expired. */
export function isLive({ unconfirmed, unlisted, expiresAt }: Link, now: number): boolean {
  return !unconfirmed && !unlisted && (expiresAt === null || expiresAt > now);
}
