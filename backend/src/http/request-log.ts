import type { Log } from '../log/json-log.ts';

export interface AnsweredRequest {
  /** HTTP method of the request; null if it could not be read. */
  method: string | null;
  /** Path of the endpoint with parameter names, such as `/api/v1/urls/:shortCode`. Null if no endpoint matches. */
  route: string | null;
  status: number;
  seconds: number;
  /** Name of the rate limit that rejected the request. Null if no limit was exceeded. */
  limit: string | null;
}

/** Returns a log entry for data that is not a valid HTTP request. */
export function malformedRequest(status: number): AnsweredRequest {
  return { method: null, route: null, status, seconds: 0, limit: null };
}

export type RequestLog = (request: AnsweredRequest) => void;

/**
 * Paths of health checks. Logging all health checks would fill the log, because these paths are requested every few
 * seconds.
 */
const HEALTH_CHECKS: ReadonlySet<string | null> = new Set(['/healthz', '/readyz']);

/** Returns a function that logs requests. Health checks are logged only when their HTTP status changes. */
export function createRequestLog(log: Log, observe: (request: AnsweredRequest) => void): RequestLog {
  const lastStatus = new Map<string | null, number>();
  return (request) => {
    const { method, route, status, seconds } = request;
    observe(request);
    if (HEALTH_CHECKS.has(route)) {
      if (lastStatus.get(route) === status) return;
      lastStatus.set(route, status);
    }
    log('info', 'request', { method, route, status, ms: Math.round(seconds * 10_000) / 10 });
  };
}
