import { FEATURE } from '@terse/contract/service-capabilities';
import { hasFeature } from '../services/service-adapter.ts';
import type { Connection, Expiry, Request } from './types.ts';

export type { Expiry };

export const EXPIRIES = ['never', 'hour', 'day', 'week', 'month'] as const satisfies Expiry[];

const HOUR = 3_600_000;

/**
 * Returns the time at which a link that is created now expires, in milliseconds. Null if the link never expires. A
 * month ends on the same day of the next month, or on its last day.
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
    // If the next month is too short for this day, JavaScript continues into the month after it. Day 0 returns to the
    // last day of the short month.
    if (date.getDate() !== day) date.setDate(0);
  }
  return date.getTime();
}

/**
 * Sets the expiry date when a request with a default lifetime is first sent. Only servers with link options accept an
 * expiry date.
 */
export function startDefaultExpiry(request: Request, connection: Connection, now: number): Request {
  const { defaultExpiry = 'never', options } = request;
  if (options.expiresAt !== null || !hasFeature(connection, FEATURE.links)) return request;
  const at = expiryAt(defaultExpiry, now);
  return at === null ? request : { ...request, options: { ...options, expiresAt: new Date(at).toISOString() } };
}

/** Removes the expiry date that a default lifetime set. The lifetime starts again when the request is sent. */
export function resetDefaultExpiry(request: Request): Request {
  return request.defaultExpiry ? { ...request, options: { ...request.options, expiresAt: null } } : request;
}
