import type { Log } from '../log/json-log.ts';
import type { Metrics, SeenRequest } from '../metrics/prometheus.ts';

/** A request to the API host that was answered; its method is null where it could not be read. */
export type AnsweredRequest = Omit<SeenRequest, 'method'> & { method: string | null };

/** What never became a request, and was answered all the same. */
export const malformedRequest = (status: number): AnsweredRequest => ({
  method: null,
  route: null,
  status,
  seconds: 0,
  limit: null,
});

/** What proxies and monitors ask every few seconds. A line each would bury all others. */
const CHECKS: ReadonlySet<string | null> = new Set(['/healthz', '/readyz']);

/** Counts answered requests, and logs each of them, but a check only where its result is another one than before. */
export function createRequestLog({ metrics, log }: { metrics: Pick<Metrics, 'request'> | null; log: Log }) {
  const lastStatus = new Map<string | null, number>();

  return ({ method, ...more }: AnsweredRequest): void => {
    const { route, status, seconds } = more;
    metrics?.request({ method: method ?? 'unknown', ...more });
    if (CHECKS.has(route)) {
      if (lastStatus.get(route) === status) return;
      lastStatus.set(route, status);
    }
    log('info', 'request', { method, route, status, ms: Math.round(seconds * 10_000) / 10 });
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
