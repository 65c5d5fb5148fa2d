import type { RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../log/json-log.ts';
import { ApiError, errorResponse } from './api-error.ts';
import type { OnRefused } from './malformed-requests.ts';

/**
 * Connects a Hono app to Node's HTTP server.
 *
 * @param fetch handles requests and their errors; if it throws, the error is logged and the client gets status 500
 * @param baseUrl provides the host for HTTP/1.0 requests without a `Host` header
 * @param onMalformed called with the HTTP status of each request with an invalid URL
 */
export function toNodeListener(
  fetch: Parameters<typeof getRequestListener>[0],
  { baseUrl, log, onMalformed }: { baseUrl: string; log: Log; onMalformed: OnRefused },
): RequestListener {
  return getRequestListener(fetch, {
    hostname: new URL(baseUrl).host,
    errorHandler(error) {
      if (error instanceof RequestError) {
        onMalformed(400);
        return errorResponse(new ApiError('invalid_request'));
      }
      log('error', 'a request failed', { error });
      return errorResponse(new ApiError('internal_error'));
    },
  });
}
