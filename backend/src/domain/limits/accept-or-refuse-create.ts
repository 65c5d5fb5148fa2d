import { chargeQuota } from './account-quotas.ts';
import { CACHED_FOR_MS } from './idempotency-key.ts';
import { charge, type KeyLimits, type LimitReport, type LimitState, report } from './key-limits.ts';
import type { DayUsage } from './throttle-and-quota.ts';

/** The parts of a create request that decide if it is accepted. */
export interface CreateRequest {
  limits: KeyLimits;
  /** Daily quota of the key's account for all its keys together. Null if it has none. */
  accountQuota: number | null;
  /** Fingerprint of the request. Null if it has no idempotency key. */
  fingerprint: Uint8Array | null;
}

/** Stored limit states of a key and its account. */
export interface Charges {
  key: LimitState;
  account: DayUsage;
}

/** Stored response to an earlier request with the same idempotency key. */
export interface CachedResponse {
  fingerprint: Uint8Array;
  createdAt: number;
}

export interface Decision {
  /**
   * `make`: create its links. `replay`: send the cached response. `reuse`: the idempotency key belongs to another
   * request. Otherwise the limit that refuses it.
   */
  action: 'make' | 'replay' | 'reuse' | 'throttle' | 'quota';
  /** States to store. The same objects as before if nothing has changed. */
  charges: Charges;
  /** The limits afterwards. */
  limits: LimitReport;
}

/** Decides about a request with an idempotency key, given its cached response. */
export function decideReplay(
  fingerprint: Uint8Array | null,
  cached: CachedResponse | null,
  now: number,
): 'make' | 'replay' | 'reuse' {
  if (!fingerprint || cached === null || cached.createdAt <= now - CACHED_FOR_MS) return 'make';
  return Buffer.compare(cached.fingerprint, fingerprint) === 0 ? 'replay' : 'reuse';
}

/**
 * Decides about a create request. A replay comes before the limits and costs nothing. All limits of the key and the
 * account are checked before any is charged. A reused idempotency key is charged.
 *
 * @param cached cached response of the same idempotency key
 */
export function decideCreate(
  order: CreateRequest,
  before: Charges,
  cached: CachedResponse | null,
  now: number,
): Decision {
  const { limits, accountQuota, fingerprint } = order;
  const repeat = decideReplay(fingerprint, cached, now);
  if (repeat === 'replay') {
    return { action: 'replay', charges: before, limits: limitsLeft(order, before, now) };
  }
  const verdict = charge(limits, before.key, now);
  if (verdict.refusedBy) {
    const charges = verdict.state === before.key ? before : { ...before, key: verdict.state };
    return { action: verdict.refusedBy, charges, limits: limitsLeft(order, charges, now) };
  }
  const account = accountQuota === null ? null : chargeQuota(accountQuota, before.account, 1, now);
  if (account && account.spent.granted === 0) {
    return { action: 'quota', charges: before, limits: limitsLeft(order, before, now) };
  }
  const charges = { key: verdict.state, account: account?.use ?? before.account };
  return { action: repeat, charges, limits: limitsLeft(order, charges, now) };
}

/** Returns the remaining limits of a key. Its quota is never more than its account's. */
export function limitsLeft(
  { limits, accountQuota }: Pick<CreateRequest, 'limits' | 'accountQuota'>,
  { key, account }: Charges,
  now: number,
): LimitReport {
  const left = report(limits, key, now);
  if (accountQuota === null) return left;
  const remaining = Math.min(left.quota.remaining, chargeQuota(accountQuota, account, 0, now).spent.left);
  return { ...left, quota: { ...left.quota, remaining } };
}
