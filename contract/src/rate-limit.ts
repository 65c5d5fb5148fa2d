import { type BareItem, type Parameters, parseList, serializeList } from 'structured-headers';
import { LONGEST_WAIT_SECONDS } from './retry-after.ts';

/** One limit of a key, as far as a service tells it. All times in whole seconds. */
export interface Limit {
  /** Sends per window. */
  limit: number;
  windowSeconds: number;
  /** Sends left now, and seconds until the window is whole again; null where the answer did not say. */
  remaining: number | null;
  resetSeconds: number | null;
}

/** The two limits of the specification (section 8); null where the answer named none that could be one. */
export interface Limits {
  throttle: Limit | null;
  quota: Limit | null;
}

/** Windows up to a minute pace requests; longer ones count them. Our own service names its limits, others may not. */
const LONGEST_THROTTLE_WINDOW = 60;
const LARGEST_COUNT = 1_000_000_000;

/**
 * Reads `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers, lists of RFC 9651), for example
 * `"throttle";q=1;w=1, "quota";q=20;w=86400` and `"throttle";r=0;t=1, "quota";r=7;t=40211`.
 * A header that does not parse, and a member out of bounds, are as if absent. Where several policies could be the
 * throttle (or the quota), the strictest one is taken.
 */
export function parseRateLimit(policy: string | null, state: string | null): Limits {
  const states = new Map(members(state).map((member) => [member.name, member.params]));
  const limits: Limits = { throttle: null, quota: null };
  for (const { name, params } of members(policy)) {
    const limit = count(params.get('q'), 1, LARGEST_COUNT);
    const windowSeconds = count(params.get('w'), 1, LONGEST_WAIT_SECONDS);
    if (limit === null || windowSeconds === null) continue;
    const found: Limit = {
      limit,
      windowSeconds,
      remaining: count(states.get(name)?.get('r'), 0, LARGEST_COUNT),
      resetSeconds: count(states.get(name)?.get('t'), 0, LONGEST_WAIT_SECONDS),
    };
    const kind = windowSeconds <= LONGEST_THROTTLE_WINDOW ? 'throttle' : 'quota';
    limits[kind] = stricter(limits[kind], found);
  }
  return limits;
}

/** Writes the two fields for the limits of a key, in the order given. */
export function formatRateLimit(limits: Record<string, Limit>): { policy: string; state: string } {
  const entries = Object.entries(limits);
  const list = (params: (limit: Limit) => [string, BareItem][]) =>
    serializeList(entries.map(([name, limit]) => [name, new Map(params(limit))]));
  return {
    policy: list((limit) => [
      ['q', limit.limit],
      ['w', limit.windowSeconds],
    ]),
    state: list((limit) => [
      ['r', limit.remaining ?? 0],
      ['t', limit.resetSeconds ?? 0],
    ]),
  };
}

function members(header: string | null): { name: string; params: Parameters }[] {
  if (!header) return [];
  try {
    return parseList(header).flatMap(([name, params]) => (typeof name === 'string' ? [{ name, params }] : []));
  } catch {
    return [];
  }
}

function count(value: BareItem | undefined, least: number, most: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

function stricter(one: Limit | null, other: Limit): Limit {
  if (!one) return other;
  const left = (limit: Limit) => limit.remaining ?? limit.limit;
  return left(other) < left(one) ? other : one;
}
