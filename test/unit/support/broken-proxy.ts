import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Sabotage } from '../../../scripts/torture/service-faults/record-run.ts';

/** Every click with this number is answered by the proxy, so that the service does not count it. */
const LOST_CLICK = 5;

/** Starts a proxy that sends each request for links twice, without idempotency, and loses some clicks. */
export const openBrokenProxy: Sabotage['openProxy'] = async ({ api, short }) => {
  const doubling = await listen(async (received, response) => {
    const body = await buffer(received);
    const key = received.headers['idempotency-key'];
    if (received.method === 'POST') await forward(api, received, body, { 'idempotency-key': `${key}-again` });
    respond(response, await forward(api, received, body));
  });
  const redirects = new Map<string, Reply>();
  let clicks = 0;
  const losing = await listen(async (received, response) => {
    const path = received.url ?? '';
    clicks += 1;
    const known = clicks % LOST_CLICK === 0 ? redirects.get(path) : undefined;
    const reply = known ?? (await forward(short, received, Buffer.alloc(0)));
    if (reply.status === 302) redirects.set(path, reply);
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

function forward(target: string, received: IncomingMessage, body: Buffer, changed = {}): Promise<Reply> {
  const { method, url = '/' } = received;
  const headers = { ...received.headers, ...changed, host: new URL(target).host };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url, target), { method, headers }, (answer) => {
      buffer(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body }),
        reject,
      );
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
