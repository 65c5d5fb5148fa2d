import type { Log } from '../log/log.ts';
import type { Metrics, SeenRequest } from '../metrics/index.ts';

/** A request to the API host that was answered; its method is null where it could not be read. */
export type AnsweredRequest = Omit<SeenRequest, 'method'> & { method: string | null };

/** Counts an answered request, and writes its line in the log. */
export function logRequest(
  { metrics, log }: { metrics: Pick<Metrics, 'request'> | null; log: Log },
  { method, ...more }: AnsweredRequest,
): void {
  const { route, status, seconds } = more;
  metrics?.request({ method: method ?? 'unknown', ...more });
  log('info', 'request', { method, route, status, ms: Math.round(seconds * 10_000) / 10 });
}
