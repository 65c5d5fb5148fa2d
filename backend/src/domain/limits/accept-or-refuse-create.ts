import { spend } from './account-quotas.ts';
import { CACHED_FOR_MS } from './idempotency-key.ts';
import { charge, type KeyLimits, type LimitReport, type LimitState, report } from './key-limits.ts';
import type { DayUse } from './throttle-and-quota.ts';

/** As much of an order to make links as its fate depends on. */
export interface CreateRequest {
  limits: KeyLimits;
  /** What the key's account may still order in a day, by all its keys together; null where nothing bounds it. */
  accountQuota: number | null;
  /** What tells the request's bytes; null where it has no idempotency key. */
  fingerprint: Uint8Array | null;
}

/** What is remembered of a key and of its account. */
export interface Charges {
  key: LimitState;
  account: DayUse;
}

/** What is remembered of an earlier request under the same idempotency key. */
export interface CachedResponse {
  fingerprint: Uint8Array;
  createdAt: number;
}

export interface Decision {
  /**
   * `make`: its links are to be made. `replay`: the kept result is the answer. `reuse`: its idempotency key was used for
   * another request. Otherwise the limit that refuses it.
   */
  fate: 'make' | 'replay' | 'reuse' | 'throttle' | 'quota';
  /** What to remember now; the very objects given where there is nothing new to remember. */
  charges: Charges;
  /** The limits afterwards. */
  limits: LimitReport;
}

/** What is done about something that bears an idempotency key, by what is kept for that key. */
export function decideReplay(
  fingerprint: Uint8Array | null,
  kept: CachedResponse | null,
  now: number,
): 'make' | 'replay' | 'reuse' {
  if (!fingerprint || kept === null || kept.createdAt <= now - CACHED_FOR_MS) return 'make';
  return Buffer.compare(kept.fingerprint, fingerprint) === 0 ? 'replay' : 'reuse';
}

/**
 * The rule of a submission. A replay comes before the limits and costs nothing. Every limit, those of the key and that
 * of its account, is checked before any is charged; a request whose idempotency key was used for another one is charged.
 *
 * @param kept an earlier result under the same idempotency key
 */
export function decideCreate(
  order: CreateRequest,
  before: Charges,
  kept: CachedResponse | null,
  now: number,
): Decision {
  const { limits, accountQuota, fingerprint } = order;
  const repeat = decideReplay(fingerprint, kept, now);
  if (repeat === 'replay') {
    return { fate: 'replay', charges: before, limits: limitsLeft(order, before, now) };
  }
  const verdict = charge(limits, before.key, now);
  if (verdict.refusedBy) {
    const charges = verdict.state === before.key ? before : { ...before, key: verdict.state };
    return { fate: verdict.refusedBy, charges, limits: limitsLeft(order, charges, now) };
  }
  const account = accountQuota === null ? null : spend(accountQuota, before.account, 1, now);
  if (account && account.spent.granted === 0) {
    return { fate: 'quota', charges: before, limits: limitsLeft(order, before, now) };
  }
  const charges = { key: verdict.state, account: account?.use ?? before.account };
  return { fate: repeat, charges, limits: limitsLeft(order, charges, now) };
}

/** What is left of a key's limits: of its quota never more than of its account's. */
export function limitsLeft(
  { limits, accountQuota }: Pick<CreateRequest, 'limits' | 'accountQuota'>,
  { key, account }: Charges,
  now: number,
): LimitReport {
  const left = report(limits, key, now);
  if (accountQuota === null) return left;
  const remaining = Math.min(left.quota.remaining, spend(accountQuota, account, 0, now).spent.left);
  return { ...left, quota: { ...left.quota, remaining } };
}
