import type { RequestListener } from 'node:http';
import { pathIn } from '../domain/request-target.ts';
import { sendError } from '../http/client-errors.ts';
import { ApiError } from '../routes/errors.ts';
import type { Metrics } from './index.ts';

const OWN_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Answers `GET /metrics`, and nothing else. */
export function metricsListener(metrics: Metrics): RequestListener {
  return async (request, response) => {
    if (pathIn(request.url ?? '') !== '/metrics') return void sendError(response, new ApiError('not_found'));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return void sendError(response, new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }));
    }
    const body = await metrics.text();
    response.writeHead(200, { ...OWN_HEADERS, 'Content-Type': metrics.contentType }).end(body);
  };
}
