import type { Log } from '../log/json-log.ts';

/** A request to the API host that was answered. */
export interface AnsweredRequest {
  /** Null if the method could not be read. */
  method: string | null;
  /** Path of the endpoint, with the names of its parameters; null if there is no such endpoint. */
  route: string | null;
  status: number;
  seconds: number;
  /** The limit that refused the request. */
  limit: string | null;
}

/** Returns the log entry for data that was answered but never became a request. */
export function malformedRequest(status: number): AnsweredRequest {
  return { method: null, route: null, status, seconds: 0, limit: null };
}

export type RequestLog = (request: AnsweredRequest) => void;

/** Health checks repeat every few seconds. Logging each of them would bury all other lines. */
const HEALTH_CHECKS: ReadonlySet<string | null> = new Set(['/healthz', '/readyz']);

/** Returns a function that logs each answered request. Health checks are logged only when their result changes. */
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
