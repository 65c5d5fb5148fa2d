import { capabilitiesOf } from '../../services/connection-capabilities.ts';
import type { Connection, Quota } from '../types.ts';
import { LEDGER_LIMIT, newQuota, SAFE_DAY_MS } from './daily-quota.ts';

/**
 * Maximum value of a limit that the user sets. To enforce such a limit, the extension counts recorded HTTP requests.
 * The extension records at most this number of HTTP requests.
 */
export const MAX_OWN_LIMIT = LEDGER_LIMIT;

/**
 * Limit of a server without a daily quota. It is a number, so that it can be stored and compared like other limits.
 */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** True if the limit means that the server has no daily quota. */
export function isUnlimited(limit: number): boolean {
  return limit === UNLIMITED;
}

/**
 * True if the user's own limits apply to a connection. These limits count links, so links are sent one by one instead
 * of in batches.
 */
export function hasOwnLimits(connection: Connection): boolean {
  return connection.limits !== undefined && capabilitiesOf(connection).limits === 'none';
}

/** Returns the limits that apply to a connection until its server reports limits. */
export function initialQuota(connection: Connection): Quota {
  return withOwnLimits(newQuota(), connection);
}

/**
 * Applies the user's own limits to a server that reports none. If the user has set no limits either, requests are
 * sent one after the other without a pause.
 */
export function withOwnLimits(budget: Quota, connection: Connection): Quota {
  if (capabilitiesOf(connection).limits !== 'none') {
    // An unlimited quota was set before the extension knew that this server has limits, so it is replaced.
    return isUnlimited(budget.quota.limit) ? { ...newQuota(), sends: budget.sends } : budget;
  }
  const { perSecond = null, perDay = null } = connection.limits ?? {};
  return {
    ...budget,
    gapMs: perSecond === null ? 0 : Math.ceil(1_000 / perSecond),
    quota: { limit: perDay === null ? UNLIMITED : Math.min(perDay, MAX_OWN_LIMIT), windowMs: SAFE_DAY_MS },
    reported: null,
  };
}
