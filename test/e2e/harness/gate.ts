import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of the next requests to shorten. */
export type GateManner =
  | 'right'
  /** They reach the service, and their answers do not come back. */
  | 'hold'
  /** The connection breaks before the service has heard anything. */
  | 'drop-before'
  /** The connection breaks when the service has answered. */
  | 'drop-after'
  /** The connection breaks in the middle of the answer. */
  | 'cut';

/** A door between the extension and a service that can lose what passes. Connections through it are kept alive. */
export interface Gate {
  baseUrl: string;
  /** `right` at first. */
  manner: GateManner;
  /** The `Authorization` of every request that came with one. */
  readonly authorizations: Set<string>;
  /** The `Idempotency-Key` of every request to shorten that the service has answered, in order. */
  readonly answered: (string | undefined)[];
  /** Milliseconds that each request to shorten took from its arrival to the service's answer, in order. */
  readonly roundTrips: number[];
  close(): Promise<void>;
}

/**
 * Opens a gate before the service at `target`. Connections whose answers it holds are cut when the other side goes.
 *
 * @param port of a gate that was closed, to open it again; a free one unless told
 */
export async function openGate(target: string, port = 0): Promise<Gate> {
  const server = createServer((request, response) => {
    const manner = request.method === 'POST' ? gate.manner : 'right';
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
