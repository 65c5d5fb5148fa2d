import type { RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../log/json-log.ts';
import { ApiError, errorResponse } from './api-error.ts';
import { type OnRefused, refuse } from './malformed-requests.ts';

/**
 * A host of Hono's as Node's server calls it. Requests of which no URL can be made, or whose path could be read as two, are
 * refused as those that are not well-formed.
 *
 * @param fetch answers its own errors; whatever it throws is a fault, which is logged and answered 500
 * @param baseUrl names the host for a request of HTTP/1.0 that names none
 * @param onMalformed called with the status of each answer to what never became a request
 */
export function createApiListener(
  fetch: Parameters<typeof getRequestListener>[0],
  { baseUrl, log, onMalformed }: { baseUrl: string; log: Log; onMalformed: OnRefused },
): RequestListener {
  /** Of the request that is being made a `Request`, which is done at once. */
  let answering: ServerResponse | null = null;
  const listener = getRequestListener(fetch, {
    hostname: new URL(baseUrl).host,
    errorHandler(error) {
      if (answering && error instanceof RequestError) {
        // Nothing is left to be answered then.
        refuse(answering, onMalformed);
        return;
      }
      log('error', 'a request failed', { error });
      return errorResponse(new ApiError('internal_error'));
    },
  });
  return (request, response) => {
    answering = response;
    listener(request, response);
    answering = null;
  };
}
