import { type Parameters, parseList } from 'structured-headers';

/** Header names in the casing they are documented with; HTTP compares them without case. */
export const HEADER = {
  authorization: 'Authorization',
  apiKey: 'X-API-Key',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
} as const;

/** What an `Idempotency-Key` may be: 1 to 255 visible ASCII characters; ours are UUIDs. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** The longest wait a service can ask for, in seconds: a week. Beyond it the value is taken for nonsense. */
export const LONGEST_WAIT_SECONDS = 7 * 86_400;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3): whole seconds, or an HTTP date.
 *
 * @param value the header as received, or null
 * @param now the answer's own `Date` where it had one, else the local time; milliseconds since the epoch
 * @returns seconds to wait, at least 0, or null where the value is missing or nonsense (some services send epoch
 *   milliseconds; obeying them would stall the queue for millennia)
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : secondsUntil(text, now);
  return seconds !== null && seconds <= LONGEST_WAIT_SECONDS ? seconds : null;
}

function secondsUntil(text: string, now: number): number | null {
  // Date.parse takes far more than HTTP dates; only their preferred form counts.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now) / 1000));
}

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

/** Our own service names its limits, others may not: then windows up to a minute pace requests, and longer ones count. */
const LONGEST_THROTTLE_WINDOW = 60;
const LARGEST_COUNT = 1_000_000_000;

/** A limit as an answer has it, before its values are checked. */
export type ReportedLimit = Record<keyof Limit, unknown>;

/**
 * Reads a limit that a service reported, in a header field or a document. Null without a count and a window in bounds. A
 * remaining count or a reset out of bounds (a reset lies within its window) is taken as not reported.
 */
export function readLimit(reported: ReportedLimit): Limit | null {
  const limit = whole(reported.limit, 1, LARGEST_COUNT);
  const windowSeconds = whole(reported.windowSeconds, 1, LONGEST_WAIT_SECONDS);
  if (limit === null || windowSeconds === null) return null;
  const remaining = whole(reported.remaining, 0, LARGEST_COUNT);
  return { limit, windowSeconds, remaining, resetSeconds: whole(reported.resetSeconds, 0, windowSeconds) };
}

/**
 * Reads `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers, lists of RFC 9651), for example
 * `"throttle";q=1;w=1, "quota";q=20;w=86400` and `"throttle";r=0;t=1, "quota";r=7;t=40211`.
 * A header that does not parse, and a member out of bounds, are as if absent. Where several policies could be the
 * throttle (or the quota), the strictest one is taken: the slowest throttle, the quota with the least left.
 */
export function parseRateLimit(policy: string | null, state: string | null): Limits {
  const states = new Map(namedItems(state));
  const limits: Limits = { throttle: null, quota: null };
  for (const [name, parameters] of namedItems(policy)) {
    const state = states.get(name);
    const found = readLimit({
      limit: parameters.get('q'),
      windowSeconds: parameters.get('w'),
      remaining: state?.get('r'),
      resetSeconds: state?.get('t'),
    });
    if (!found) continue;
    if (isThrottle(name, found)) limits.throttle = slower(limits.throttle, found);
    else limits.quota = scarcer(limits.quota, found);
  }
  return limits;
}

/** Writes the two fields for the limits of a key, in the order given. Names are plain words, counts are whole. */
export function formatRateLimit(limits: Record<string, Limit>): { policy: string; state: string } {
  const list = (parameters: (limit: Limit) => string) =>
    Object.entries(limits)
      .map(([name, limit]) => `"${name}";${parameters(limit)}`)
      .join(', ');
  return {
    policy: list(({ limit, windowSeconds }) => `q=${limit};w=${windowSeconds}`),
    state: list(({ remaining, resetSeconds }) => `r=${remaining ?? 0};t=${resetSeconds ?? 0}`),
  };
}

/** Returns the strings of a list with their parameters, or nothing if the list does not parse. */
function namedItems(list: string | null): [name: string, parameters: Parameters][] {
  try {
    return parseList(list ?? '').flatMap(([name, parameters]) =>
      typeof name === 'string' ? [[name, parameters]] : [],
    );
  } catch {
    return [];
  }
}

function isThrottle(name: string, { windowSeconds }: Limit): boolean {
  return name === 'throttle' || (name !== 'quota' && windowSeconds <= LONGEST_THROTTLE_WINDOW);
}

function whole(value: unknown, least: number, most: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** Of two throttles, the one that lets fewer through in the long run. */
function slower(one: Limit | null, other: Limit): Limit {
  const pace = ({ limit, windowSeconds }: Limit) => limit / windowSeconds;
  return one && pace(one) <= pace(other) ? one : other;
}

/** Of two quotas, the one with less left, or of two equal ones the one that stays so for longer. */
function scarcer(one: Limit | null, other: Limit): Limit {
  if (!one) return other;
  const left = ({ remaining, limit }: Limit) => remaining ?? limit;
  const lasts = ({ resetSeconds, windowSeconds }: Limit) => resetSeconds ?? windowSeconds;
  const less = left(other) - left(one) || lasts(one) - lasts(other);
  return less < 0 ? other : one;
}
