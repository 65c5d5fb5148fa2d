import { capabilitiesOf } from '../../services/known-service.ts';
import type { Connection, Quota } from '../types.ts';
import { LEDGER_LIMIT, newQuota, SAFE_DAY_MS } from './daily-quota.ts';

/** Maximum of a limit that the user sets. The server does not count links, so the extension must record every send. */
export const MAX_OWN_LIMIT = LEDGER_LIMIT;

/** Limit of a quota that does not exist. It is a number, so that it can be stored and compared. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** True if a server has no daily quota, so that pages show none. */
export function isUnlimited(limit: number): boolean {
  return limit === UNLIMITED;
}

/** True if the user's own limits apply to a connection. They count links, so its links are sent one by one. */
export function hasOwnLimits(connection: Connection): boolean {
  return connection.limits !== undefined && capabilitiesOf(connection).limits === 'none';
}

/** Returns the limits that apply to a connection before its server has reported any. */
export function initialQuota(connection: Connection): Quota {
  return withOwnLimits(newQuota(), connection);
}

/**
 * Applies the user's own limits to a server that announces none. Without such limits, requests are sent one after the
 * other without a pause.
 */
export function withOwnLimits(budget: Quota, connection: Connection): Quota {
  if (capabilitiesOf(connection).limits !== 'none') {
    // The server has turned out to be one with limits.
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
