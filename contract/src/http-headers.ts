import { type Parameters, parseList } from 'structured-headers';

/** Header names, in the case that the documentation uses. HTTP ignores the case. */
export const HEADER = {
  authorization: 'Authorization',
  apiKey: 'X-API-Key',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
} as const;

/** Valid `Idempotency-Key` headers: 1 to 255 visible ASCII characters. The extension sends UUIDs. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** Maximum wait that a service can ask for, in seconds (one week). Longer waits are ignored as invalid. */
export const MAX_WAIT_SECONDS = 7 * 86_400;

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3): whole seconds, or an HTTP date.
 *
 * @param now the response's `Date` if it has one, otherwise the local time; in milliseconds
 * @returns seconds to wait, or null if the value is missing or invalid. Some services send a time in milliseconds, which
 *   would stop the queue for thousands of years.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : secondsUntil(text, now);
  return seconds !== null && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

function secondsUntil(text: string, now: number): number | null {
  // `Date.parse` accepts many formats. Only the preferred format of HTTP dates is valid here.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now) / 1000));
}

/** A limit of an API key, as a service reports it. Times are in whole seconds. */
export interface Limit {
  /** Number of requests per window. */
  limit: number;
  windowSeconds: number;
  /** Number of requests left; null if not reported. */
  remaining: number | null;
  /** Time until the limit resets; null if not reported. */
  resetSeconds: number | null;
}

/** The two limits of the specification (section 8). Null if the response reports none. */
export interface Limits {
  throttle: Limit | null;
  quota: Limit | null;
}

/** Maximum window of a throttle, in seconds. A limit without a known name and with a longer window is a quota. */
const MAX_THROTTLE_WINDOW = 60;
const MAX_COUNT = 1_000_000_000;

/** A reported limit before its values are checked. */
export type ReportedLimit = Record<keyof Limit, unknown>;

/**
 * Checks the values of a reported limit. Null if the count or the window is invalid. An invalid remaining count or reset becomes
 * null; a reset is invalid if it is longer than the window.
 */
export function readLimit(reported: ReportedLimit): Limit | null {
  const limit = whole(reported.limit, 1, MAX_COUNT);
  const windowSeconds = whole(reported.windowSeconds, 1, MAX_WAIT_SECONDS);
  if (limit === null || windowSeconds === null) return null;
  const remaining = whole(reported.remaining, 0, MAX_COUNT);
  return { limit, windowSeconds, remaining, resetSeconds: whole(reported.resetSeconds, 0, windowSeconds) };
}

/**
 * Parses `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers, lists of RFC 9651), for example
 * `"throttle";q=1;w=1, "quota";q=20;w=86400` and `"throttle";r=0;t=1, "quota";r=7;t=40211`.
 * Invalid headers and limits are ignored. If there are several throttles or quotas, the strictest one counts: the slowest
 * throttle, the quota with the fewest requests left.
 */
export function parseRateLimit(policy: string | null, state: string | null): Limits {
  const states = new Map(namedItems(state));
  const limits: Limits = { throttle: null, quota: null };
  for (const [name, parameters] of namedItems(policy)) {
    const state = states.get(name);
    const limit = readLimit({
      limit: parameters.get('q'),
      windowSeconds: parameters.get('w'),
      remaining: state?.get('r'),
      resetSeconds: state?.get('t'),
    });
    if (!limit) continue;
    if (isThrottle(name, limit)) limits.throttle = slower(limits.throttle, limit);
    else limits.quota = scarcer(limits.quota, limit);
  }
  return limits;
}

/** Returns the two headers for the limits of a key. */
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
  return name === 'throttle' || (name !== 'quota' && windowSeconds <= MAX_THROTTLE_WINDOW);
}

function whole(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : null;
}

/** Returns the throttle that allows fewer requests per second. */
function slower(one: Limit | null, other: Limit): Limit {
  const pace = ({ limit, windowSeconds }: Limit) => limit / windowSeconds;
  return one && pace(one) <= pace(other) ? one : other;
}

/** Returns the quota with fewer requests left; if equal, the one that resets later. */
function scarcer(one: Limit | null, other: Limit): Limit {
  if (!one) return other;
  const left = ({ remaining, limit }: Limit) => remaining ?? limit;
  const resetsIn = ({ resetSeconds, windowSeconds }: Limit) => resetSeconds ?? windowSeconds;
  const difference = left(other) - left(one) || resetsIn(one) - resetsIn(other);
  return difference < 0 ? other : one;
}
