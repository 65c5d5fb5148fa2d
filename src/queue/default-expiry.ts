import { FEATURE } from '@terse/contract/service-capabilities';
import { hasFeature } from '../services/service-adapter.ts';
import { NO_OPTIONS } from './add-replace-delete-connection.ts';
import type { Connection, LinkOptions } from './types.ts';

/** Lifetimes that the user can choose for links. A month is a calendar month. */
export const EXPIRIES = ['never', 'hour', 'day', 'week', 'month'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const HOUR = 3_600_000;

/** Time at which a link created now expires, in milliseconds; null: never. A month ends on the same day of the next month, or on its last day. */
export function expiryAt(expiry: Expiry, now: number): number | null {
  if (expiry === 'never') return null;
  if (expiry === 'hour') return now + HOUR;
  const date = new Date(now);
  if (expiry === 'day') date.setDate(date.getDate() + 1);
  if (expiry === 'week') date.setDate(date.getDate() + 7);
  if (expiry === 'month') {
    const day = date.getDate();
    date.setMonth(date.getMonth() + 1);
    // In a shorter month, the day overflows into the following month.
    if (date.getDate() !== day) date.setDate(0);
  }
  return date.getTime();
}

/** Options of a link for which the user chose none. Only a service that stores options takes an expiry. */
export function defaultOptions(connection: Connection, expiry: Expiry, now: number): LinkOptions {
  const at = hasFeature(connection, FEATURE.links) ? expiryAt(expiry, now) : null;
  return at === null ? NO_OPTIONS : { ...NO_OPTIONS, expiresAt: new Date(at).toISOString() };
}
