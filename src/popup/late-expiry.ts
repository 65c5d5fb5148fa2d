import type { RequestStatus } from '../queue/request-status.ts';
import type { Request } from '../queue/types.ts';

/**
 * When the link of a request that waits would expire, where that is before its turn comes: it is not sent then. Null: it is
 * in time.
 */
export function lateExpiry({ options }: Request, status: RequestStatus, now: number): number | null {
  const expiresAt = Date.parse(options.expiresAt ?? '');
  const at = status.kind === 'waiting' ? (status.at ?? now) : null;
  return at !== null && expiresAt <= at ? expiresAt : null;
}
