import type { RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../log/json-log.ts';
import { ApiError, errorResponse } from './api-error.ts';
import { type OnRefused, refuse } from './malformed-requests.ts';

/**
 * Connects a Hono app to Node's HTTP server. Rejects requests with an invalid URL or an ambiguous path.
 *
 * @param fetch handles requests and their errors; if it throws, the error is logged and the client gets status 500
 * @param baseUrl provides the host for HTTP/1.0 requests without a `Host` header
 * @param onMalformed called with the HTTP status of each rejected request
 */
export function toNodeListener(
  fetch: Parameters<typeof getRequestListener>[0],
  { baseUrl, log, onMalformed }: { baseUrl: string; log: Log; onMalformed: OnRefused },
): RequestListener {
  /**
   * Response to the request that is currently being converted for Hono. The conversion is synchronous, so there is at
   * most one such request.
   */
  let currentResponse: ServerResponse | null = null;
  const listener = getRequestListener(fetch, {
    hostname: new URL(baseUrl).host,
    errorHandler(error) {
      if (currentResponse && error instanceof RequestError) {
        refuse(currentResponse, onMalformed);
        return;
      }
      log('error', 'a request failed', { error });
      return errorResponse(new ApiError('internal_error'));
    },
  });
  return (request, response) => {
    currentResponse = response;
    listener(request, response);
    currentResponse = null;
  };
}
