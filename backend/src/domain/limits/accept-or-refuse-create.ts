import { chargeQuota } from './account-quotas.ts';
import { CACHED_FOR_MS } from './idempotency-key.ts';
import { charge, type KeyLimits, type LimitReport, type LimitState, report } from './key-limits.ts';
import type { DayUsage } from './throttle-and-quota.ts';

/** A request that creates links, with its limits and its idempotency hash. */
export interface CreateRequest {
  limits: KeyLimits;
  /** Maximum number of requests per day for all API keys of the account together. Null if the account has no limit. */
  accountQuota: number | null;
  fingerprint: Uint8Array | null;
}

export interface Charges {
  key: LimitState;
  account: DayUsage;
}

export interface CachedResponse {
  fingerprint: Uint8Array;
  createdAt: number;
}

export interface Decision {
  /**
   * `make`: the links are created. `replay`: the client gets the cached response. `reuse`: the idempotency key
   * belongs to a different request. `throttle` and `quota`: the request exceeded the limit with this name.
   */
  action: 'make' | 'replay' | 'reuse' | 'throttle' | 'quota';
  /** Usage to store. If the usage is unchanged, this is the same object as in the input. */
  charges: Charges;
  limits: LimitReport;
}

export function decideReplay(
  fingerprint: Uint8Array | null,
  cached: CachedResponse | null,
  now: number,
): 'make' | 'replay' | 'reuse' {
  if (!fingerprint || cached === null || cached.createdAt <= now - CACHED_FOR_MS) return 'make';
  return Buffer.compare(cached.fingerprint, fingerprint) === 0 ? 'replay' : 'reuse';
}

/**
 * Decides whether a request to create links is accepted. A repeated request with the same idempotency key gets the
 * cached response and does not count against the limits. Every other request counts, unless it exceeds a limit of the
 * API key or the account. A request whose idempotency key belongs to a different request is rejected, but still
 * counts.
 *
 * @param cached cached response for the idempotency key
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

/**
 * Returns the remaining limits of an API key. The remaining quota of the key never exceeds the remaining quota of its
 * account.
 */
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
