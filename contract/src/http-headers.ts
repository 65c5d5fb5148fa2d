import { type Parameters, parseList } from 'structured-headers';

export const HEADER = {
  authorization: 'Authorization',
  apiKey: 'X-API-Key',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
  /**
   * `true` if the requested short code is available and the API key can create a link with this code. Otherwise, the
   * header is absent.
   */
  shortCodeAvailable: 'Short-Code-Available',
} as const;

/** Valid `Idempotency-Key` headers: 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** Maximum wait that a service can request, in seconds (one week). Longer waits are treated as invalid and ignored. */
export const MAX_WAIT_SECONDS = 7 * 86_400;

/**
 * Parses the `Retry-After` header (RFC 9110, section 10.2.3), which contains either seconds or an HTTP date.
 *
 * @param now current time in milliseconds, from the response's `Date` header if present
 * @returns seconds to wait, or null if the header is missing or invalid. A wait of more than a week is considered
 * invalid, because some services send milliseconds by mistake.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : secondsUntil(text, now);
  return seconds !== null && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

function secondsUntil(text: string, now: number): number | null {
  // Accepts only the preferred format for HTTP dates. `Date.parse` alone would accept many other formats.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now) / 1000));
}

/** A limit of an API key as reported by the service. Times are in whole seconds. */
export interface Limit {
  /** Maximum number of requests in `windowSeconds`. */
  limit: number;
  windowSeconds: number;
  /** Number of requests left. Null if the service does not report this number. */
  remaining: number | null;
  /** Time until the limit resets. Null if the service does not report this time. */
  resetSeconds: number | null;
}

/**
 * Request limits in a response (section 8 of the API specification). A limit is null if the response does not contain
 * it.
 */
export interface Limits {
  throttle: Limit | null;
  quota: Limit | null;
}

/**
 * Maximum window of a throttle, in seconds. A limit with an unknown name and a longer window is treated as a quota.
 */
const MAX_THROTTLE_WINDOW = 60;
const MAX_COUNT = 1_000_000_000;

export type ReportedLimit = Record<keyof Limit, unknown>;

/**
 * Validates a limit from a response. Returns null if the number of requests or the window is invalid. Sets
 * `remaining` or `resetSeconds` to null if it is invalid, for example if the reset time is longer than the window.
 */
export function readLimit(reported: ReportedLimit): Limit | null {
  const limit = whole(reported.limit, 1, MAX_COUNT);
  const windowSeconds = whole(reported.windowSeconds, 1, MAX_WAIT_SECONDS);
  if (limit === null || windowSeconds === null) return null;
  const remaining = whole(reported.remaining, 0, MAX_COUNT);
  return { limit, windowSeconds, remaining, resetSeconds: whole(reported.resetSeconds, 0, windowSeconds) };
}

/**
 * Parses the `RateLimit-Policy` and `RateLimit` headers (IETF draft-ietf-httpapi-ratelimit-headers). Both headers are
 * lists as defined in RFC 9651, such as `"throttle";q=1;w=1, "quota";q=20;w=86400` and `"throttle";r=0;t=1,
 * "quota";r=7;t=40211`. Ignores invalid headers and limits. If there are several throttles, returns the slowest
 * throttle. If there are several quotas, returns the quota with the fewest remaining requests.
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

/**
 * Returns the strings in a structured header, each with its parameters. If the header is invalid, the list is empty.
 */
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

function slower(one: Limit | null, other: Limit): Limit {
  const pace = ({ limit, windowSeconds }: Limit) => limit / windowSeconds;
  return one && pace(one) <= pace(other) ? one : other;
}

/**
 * Returns the quota with fewer requests left. If both quotas have the same number left, returns the quota that resets
 * later.
 */
function scarcer(one: Limit | null, other: Limit): Limit {
  if (!one) return other;
  const left = ({ remaining, limit }: Limit) => remaining ?? limit;
  const resetsIn = ({ resetSeconds, windowSeconds }: Limit) => resetSeconds ?? windowSeconds;
  const difference = left(other) - left(one) || resetsIn(one) - resetsIn(other);
  return difference < 0 ? other : one;
}
