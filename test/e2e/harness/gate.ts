import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults that the proxy applies to the next requests for links or, at a gate for short URLs, to all requests. */
export type GateManner =
  | 'right'
  /** The service receives requests, but the proxy delays the responses. */
  | 'hold'
  /** The connection breaks before the service receives anything. */
  | 'drop-before'
  /** The connection breaks after the service has responded. */
  | 'drop-after'
  /** The connection breaks in the middle of the response. */
  | 'cut';

/** A proxy between the extension and a service that can lose requests and responses. Connections are kept alive. */
export interface Gate {
  baseUrl: string;
  /** Fault for the next requests. The default `right` means no fault. */
  manner: GateManner;
  /** Values of all `Authorization` headers. */
  readonly authorizations: Set<string>;
  /** `Idempotency-Key` headers of the requests for links that the service has answered, in order. */
  readonly answered: (string | undefined)[];
  /** Milliseconds from the arrival of each request for links to the service's response, in order. */
  readonly roundTrips: number[];
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the service at `target`. If the client disconnects, the proxy drops its delayed
 * responses.
 *
 * @param port port of a closed proxy that is opened again. The default is a free port.
 * @param isForShortUrls true if faults apply to all requests and not only to requests for links
 */
export async function openGate(target: string, port = 0, isForShortUrls = false): Promise<Gate> {
  const server = createServer((request, response) => {
    const manner = isForShortUrls || request.method === 'POST' ? gate.manner : 'right';
    if (request.headers.authorization) gate.authorizations.add(request.headers.authorization);
    if (manner === 'drop-before') return void request.socket.destroy();
    const forwarded = send(new URL(request.url ?? '/', target), {
      method: request.method,
      headers: { ...request.headers, host: new URL(target).host },
    });
    request.pipe(forwarded);
    const arrived = performance.now();
    forwarded.on('error', () => response.destroy());
    forwarded.on('response', (answer) => {
      if (request.method === 'POST') gate.roundTrips.push(performance.now() - arrived);
      if (request.method === 'POST') gate.answered.push(request.headers['idempotency-key']?.toString());
      if (manner === 'hold') return void answer.resume();
      if (manner === 'drop-after') return void request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (manner === 'cut') response.write('{', () => request.socket.destroy());
      else answer.pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const gate: Gate = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    manner: 'right',
    authorizations: new Set(),
    answered: [],
    roundTrips: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}
