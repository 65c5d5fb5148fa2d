import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Sabotage } from '../../../scripts/torture/service-faults/record-run.ts';

/** Each click whose number is a multiple of this becomes a HEAD request, which the service does not count. */
const LOST_CLICK = 3;

/** Each click whose number is a multiple of this is redirected to another address. */
const MISLED_CLICK = 5;

/** Starts a proxy that sends each request for links twice, without idempotency, and loses or redirects some clicks. */
export const openBrokenProxy: Sabotage['openProxy'] = async ({ api, short }) => {
  const doubling = await listen(async (received, response) => {
    const body = await buffer(received);
    const { 'idempotency-key': key, ...headers } = received.headers;
    const method = received.method ?? '';
    if (method === 'POST')
      await forward(api, received, method, { ...headers, 'idempotency-key': `${key}-again` }, body);
    respond(response, await forward(api, received, method, received.headers, body));
  });
  let clicks = 0;
  const losing = await listen(async (received, response) => {
    clicks += 1;
    const method = clicks % LOST_CLICK === 0 ? 'HEAD' : 'GET';
    const reply = await forward(short, received, method, received.headers);
    if (clicks % MISLED_CLICK === 0) reply.headers.location = 'https://example.net/';
    respond(response, reply);
  });
  return {
    api: doubling.address,
    short: losing.address,
    close: async () => void (await Promise.all([doubling.close(), losing.close()])),
  };
};

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function forward(
  target: string,
  { url = '/' }: IncomingMessage,
  method: string,
  headers: IncomingMessage['headers'],
  body = Buffer.alloc(0),
): Promise<Reply> {
  const options = { method, headers: { ...headers, host: new URL(target).host } };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url, target), options, (answer) => {
      const { statusCode: status = 502, headers } = answer;
      buffer(answer).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

function respond(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body);
}

/** Starts a server. If the handler fails, the connection breaks. */
async function listen(handle: (received: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server: Server = createServer((received, response) => {
    handle(received, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
