import { capabilitiesOf } from '../servers/capabilities.ts';
import type { Connection, Expiry, Request } from './types.ts';

export type { Expiry };

export const EXPIRIES = ['never', 'hour', 'day', 'week', 'month'] as const satisfies Expiry[];

const HOUR = 3_600_000;

/**
 * Returns the time, in milliseconds since the epoch, at which a link that is created now expires. Returns null if the
 * link never expires. `month` means the same day of the next month, or the last day of the next month if it is too
 * short.
 */
export function expiryAt(expiry: Expiry, now: number): number | null {
  if (expiry === 'never') return null;
  if (expiry === 'hour') return now + HOUR;
  const date = new Date(now);
  if (expiry === 'day') date.setDate(date.getDate() + 1);
  if (expiry === 'week') date.setDate(date.getDate() + 7);
  if (expiry === 'month') {
    const day = date.getDate();
    date.setMonth(date.getMonth() + 1);
    // If the next month is too short for this day, `setMonth` moves the date into the following month. `setDate(0)`
    // then goes back to the last day of the shorter month.
    if (date.getDate() !== day) date.setDate(0);
  }
  return date.getTime();
}

/**
 * Returns the expiry date of a request's link, or null if the link does not expire. A default lifetime starts when the
 * request is first sent. It does nothing if the server does not support expiry dates.
 *
 * @param now time of the first send in milliseconds
 */
export function expiryOf({ sent, options, defaultExpiry = 'never' }: Request, connection: Connection, now: number) {
  if (sent) return sent.item.expiresAt ?? null;
  if (options.expiresAt !== null || !capabilitiesOf(connection).expiry) return options.expiresAt;
  const at = expiryAt(defaultExpiry, now);
  return at === null ? null : new Date(at).toISOString();
}
