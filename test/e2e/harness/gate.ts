import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door between the extension and a service that can hold back answers. */
export interface Gate {
  baseUrl: string;
  /** While true, requests to shorten reach the service and their answers do not come back. */
  isHolding: boolean;
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
      if (request.method === 'POST' && gate.isHolding) return void answer.resume();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const gate: Gate = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHolding: false,
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
