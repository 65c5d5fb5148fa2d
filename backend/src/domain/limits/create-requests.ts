import { createHash } from 'node:crypto';
import type { CreateLinkRequest } from '@terse/contract';
import type { KeyLimits, OwnLimits } from './key-limits.ts';
import { dueAfter, type LimitStatus, reportThrottle, type Throttle, takeFromThrottle } from './throttle.ts';

/** Time for which the response to a request with an idempotency key is cached, in milliseconds. */
export const CACHED_FOR_MS = 30 * 86_400_000;

/** Returns a hash of the endpoint and the request body. Requests are considered equal if their hashes are equal. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/**
 * Returns a hash of the fields of a link to create. The hash does not depend on the formatting of the JSON, and is
 * the same for a single request and for an item of a batch. Every field has a fixed position in the hashed data.
 * Otherwise, the value of one field could be read as another field.
 */
export function linkFingerprint(link: CreateLinkRequest): Uint8Array {
  const { url, shortCode, domain, title, expiresAt, forwardQuery, tags } = link;
  const fields = JSON.stringify([url, shortCode, domain, title, expiresAt, forwardQuery, tags]);
  return fingerprint('/api/v1/urls', Buffer.from(fields));
}

export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

export interface CachedResponse {
  fingerprint: Uint8Array;
  createdAt: number;
}

/**
 * Decides about a request with an idempotency key. `replay`: the client gets the cached response. `reuse`: the key
 * belongs to a different request. `make`: there is no valid cached response.
 */
export function decideReplay(
  fingerprint: Uint8Array | null,
  cached: CachedResponse | null,
  now: number,
): 'make' | 'replay' | 'reuse' {
  if (!fingerprint || cached === null || cached.createdAt <= now - CACHED_FOR_MS) return 'make';
  return Buffer.compare(cached.fingerprint, fingerprint) === 0 ? 'replay' : 'reuse';
}

/** Number of requests on a UTC day. `day` counts the days since January 1, 1970. */
export interface DayUsage {
  day: number;
  used: number;
}

/**
 * Stored usage of an API key. `openAt` is the theoretical arrival time of the next request, as defined by GCRA
 * (generic cell rate algorithm).
 */
export interface KeyUsage extends DayUsage {
  openAt: number;
}

export const UNSPENT: DayUsage = { day: 0, used: 0 };
export const UNUSED: KeyUsage = { openAt: 0, ...UNSPENT };

export interface LimitReport {
  throttle: LimitStatus;
  quota: LimitStatus;
}

/**
 * Returns the limits that apply to an API key. A limit above the service's current default is reduced to the default,
 * except for the owner's keys. The default may have been lowered after the key was created.
 */
export function limitsInForce(own: OwnLimits, standard: KeyLimits, isOwner: boolean): KeyLimits {
  const { quota, throttle } = { quota: own.quota ?? standard.quota, throttle: own.throttle ?? standard.throttle };
  if (isOwner) return { quota, throttle };
  return { quota: Math.min(quota, standard.quota), throttle: Math.min(throttle, standard.throttle) };
}

/** A request that creates links, with its limits and its fingerprint. */
interface LimitedRequest {
  limits: KeyLimits;
  /** Maximum number of requests per day for all API keys of the account together. Null if the account has no limit. */
  accountQuota: number | null;
  fingerprint: Uint8Array | null;
}

export interface Usage {
  key: KeyUsage;
  account: DayUsage;
}

interface Decision {
  /**
   * `make`: the links are created. `replay`: the client gets the cached response. `reuse`: the idempotency key
   * belongs to a different request. `throttle` and `quota`: the request exceeded the limit with this name. If it
   * exceeded both, the value is `quota`, because the client must wait longer for the quota.
   */
  action: 'make' | 'replay' | 'reuse' | 'throttle' | 'quota';
  /** Usage to store. If the usage is unchanged, this is the same object as in the input. */
  usage: Usage;
  limits: LimitReport;
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
  request: LimitedRequest,
  before: Usage,
  cached: CachedResponse | null,
  now: number,
): Decision {
  const decide = (action: Decision['action'], usage: Usage): Decision => {
    return { action, usage, limits: limitsLeft(request, usage, now) };
  };
  const { limits, accountQuota, fingerprint } = request;
  const repeat = decideReplay(fingerprint, cached, now);
  if (repeat === 'replay') return decide('replay', before);
  const { day, used } = usageAt(before.key, now);
  const draw = takeFromThrottle(throttleOf(limits), before.key.openAt, now);
  if (used >= limits.quota || !draw.allowed) {
    return decide(used >= limits.quota ? 'quota' : 'throttle', afterSetBack(limits, before, now));
  }
  const account = accountQuota === null ? null : chargeQuota(accountQuota, before.account, 1, now);
  if (account?.spent.granted === 0) return decide('quota', before);
  const key = { openAt: draw.dueAt, day, used: used + 1 };
  return decide(repeat, { key, account: account?.use ?? before.account });
}

/**
 * Returns the remaining limits of an API key. The remaining quota of the key never exceeds the remaining quota of its
 * account.
 */
export function limitsLeft(
  { limits, accountQuota }: Pick<LimitedRequest, 'limits' | 'accountQuota'>,
  { key, account }: Usage,
  now: number,
): LimitReport {
  const throttle = reportThrottle(throttleOf(limits), key.openAt, now);
  const quota = reportQuota(limits.quota, usageAt(key, now), now);
  if (accountQuota === null) return { throttle, quota };
  const remaining = Math.min(quota.remaining, chargeQuota(accountQuota, account, 0, now).spent.left);
  return { throttle, quota: { ...quota, remaining } };
}

/**
 * Corrects stored times that are too far in the future because the server's clock was set back. Otherwise, requests
 * could be refused until the clock catches up.
 */
function afterSetBack(limits: KeyLimits, before: Usage, now: number): Usage {
  const { key } = before;
  const openAt = Math.min(key.openAt, dueAfter(throttleOf(limits), key.openAt, now));
  const day = Math.min(key.day, usageAt(key, now).day);
  return openAt < key.openAt || day < key.day ? { ...before, key: { ...key, openAt, day } } : before;
}

/**
 * Converts the `throttle` of an API key to a rate and a burst. The burst is the number of requests per second,
 * rounded down, but at least 1. The `RateLimit-Policy` header announces the burst (`q=5;w=1`).
 */
function throttleOf({ throttle }: KeyLimits): Throttle {
  return { perSecond: throttle, burst: Math.max(1, Math.floor(throttle)) };
}

export interface ChargedQuota {
  /** Number of charged units. It is less than requested if not enough units were left. */
  granted: number;
  left: number;
  resetSeconds: number;
}

/** Charges up to `units` to a daily quota. */
export function chargeQuota(
  max: number,
  before: DayUsage,
  units: number,
  now: number,
): { use: DayUsage; spent: ChargedQuota } {
  const { day, used } = usageAt(before, now);
  const granted = Math.min(units, Math.max(0, max - used));
  const use = { day, used: used + granted };
  const { remaining: left, resetSeconds } = reportQuota(max, use, now);
  return { use, spent: { granted, left, resetSeconds } };
}

const DAY = 86_400_000;

/**
 * Returns the usage of a quota at the time `now`. The usage is 0 at the start of each day. If the clock was set back,
 * the stored day can be far in the future. Any day later than tomorrow is replaced by tomorrow, so that the quota
 * resets within two days.
 */
function usageAt({ day, used }: DayUsage, now: number): DayUsage {
  const today = Math.floor(now / DAY);
  return { day: Math.min(Math.max(day, today), today + 1), used: today > day ? 0 : used };
}

/** @param use current usage, as returned by `usageAt` */
function reportQuota(limit: number, { day, used }: DayUsage, now: number): LimitStatus {
  return {
    limit,
    windowSeconds: DAY / 1000,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.ceil(((day + 1) * DAY - now) / 1000),
  };
}
