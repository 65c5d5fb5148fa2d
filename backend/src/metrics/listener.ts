import type { RequestListener } from 'node:http';
import type { Metrics } from './index.ts';

/** Answers `GET /metrics`, and nothing else. */
export function metricsListener(metrics: Metrics): RequestListener {
  return async (request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    }
    const body = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(body);
  };
}
