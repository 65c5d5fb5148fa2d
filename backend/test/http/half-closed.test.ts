import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { LinkList, ShortenAnswer } from '@terse/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createListener, type Listener } from '../../src/http/listener.ts';
import { TIMEOUTS, type Timeouts } from '../../src/http/timeouts.ts';
import { post, startTestService, type TestService } from '../support/service.ts';

/** Sends bytes and then FIN, like `nc -N`. Resolves to all received data when the service closes its side too. */
async function sendAndEnd(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(text);
  let heard = '';
  for await (const chunk of socket.setEncoding('utf8')) heard += chunk;
  return heard;
}

const statuses = (heard: string) => heard.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(-3)));

describe('a client that sends and then closes its side', () => {
  let terse: TestService;
  let key: string;
  beforeAll(async () => {
    terse = await startTestService({ TERSE_METRICS_LISTEN: '127.0.0.1:0', TERSE_THROTTLE: '1000' });
    key = await terse.newKey();
  });
  afterAll(() => terse.stop());

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const head = () => `POST /api/v1/urls HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const BODY = '{"url":"https://example.com/"}';
  const announced = (body: string) => `${head()}Content-Length: ${BODY.length}\r\n\r\n${body}`;
  const create = () => announced(BODY);
  const links = async () => {
    terse.clock.now += 60_000;
    const answer = await terse.ask('/api/v1/urls', { headers: { 'X-API-Key': key } });
    return LinkList.parse(await answer.json()).links.length;
  };

  it.each([
    ['api', '/healthz', 200],
    ['short', '/nothing-here', 404],
    ['metrics', '/metrics', 200],
  ] as const)('is answered by the %s listener', async (name, path, status) => {
    expect(statuses(await sendAndEnd(terse.service.addresses[name] ?? '', get(path)))).toEqual([status]);
  });

  it('gets the redirect of a short URL', async () => {
    const made = await terse.ask('/api/shorten', post(key, { url: 'https://example.com/half' }));
    const { shortUrl } = ShortenAnswer.parse(await made.json());
    const heard = await sendAndEnd(terse.service.addresses.short, get(new URL(shortUrl).pathname));
    expect(heard).toMatch(/^HTTP\/1\.1 302 .+location: https:\/\/example\.com\/half\r\n/is);
  });

  it('creates a link and gets the response', async () => {
    const before = await links();
    const heard = await sendAndEnd(terse.service.addresses.api, create());
    expect(heard).toMatch(/^HTTP\/1\.1 201 .+"shortUrl"/s);
    expect(await links()).toBe(before + 1);
  });

  it('gets the responses to all pipelined requests', async () => {
    const row = get('/healthz') + create() + get('/nothing') + create();
    expect(statuses(await sendAndEnd(terse.service.addresses.api, row))).toEqual([200, 201, 404, 201]);
    const visits = '/1 /2 /3 /4'.split(' ').map(get).join('');
    expect(statuses(await sendAndEnd(terse.service.addresses.short, visits))).toEqual([404, 404, 404, 404]);
  });

  it.each([
    ['a body shorter than announced', () => announced(BODY.slice(0, -1))],
    ['the whole JSON in a body shorter than announced', () => announced(BODY).replace(/: 30\r/, ': 31\r')],
    ['a missing body', () => announced('')],
    ['a chunked body without its last chunk', () => `${head()}Transfer-Encoding: chunked\r\n\r\n1e\r\n${BODY}\r\n`],
    ['an incomplete chunk', () => `${head()}Transfer-Encoding: chunked\r\n\r\n1f\r\n${BODY}`],
    ['headers without their end', () => head()],
  ])('is answered with 400 after %s', async (_, cut) => {
    const before = await links();
    const address = terse.service.addresses.api;
    expect(statuses(await sendAndEnd(address, cut()))).toEqual([400]);
    expect(statuses(await sendAndEnd(address, get('/healthz') + cut()))).toEqual([200, 400]);
    expect(await links()).toBe(before);
  });

  it('gets no response if it sent nothing', async () => {
    for (const address of Object.values(terse.service.addresses).slice(0, 3)) {
      expect(await sendAndEnd(address ?? '', '')).toBe('');
    }
  });
});

describe('a connection whose client has closed its side', () => {
  let listener: Listener;
  let client: Socket;
  afterEach(async () => {
    client.destroy();
    await listener.stop();
  });

  /** Sends one request and closes the client's side. Resolves when the server has noticed both. */
  async function askAndEnd(answer: RequestListener, timeouts: Partial<Timeouts> = {}): Promise<Socket> {
    const seen = Promise.withResolvers<Socket>();
    const noteEnd: RequestListener = (request, response) => {
      const { socket } = request;
      for (const event of ['end', 'close']) socket.once(event, () => seen.resolve(socket));
      answer(request, response);
    };
    listener = createListener(noteEnd, { ...TIMEOUTS, drain: 0, stop: 0, ...timeouts });
    await listener.listen({ host: '127.0.0.1', port: 0 });
    const { hostname, port } = new URL(listener.address());
    client = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    client.on('error', () => {}).end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return seen.promise;
  }

  it('waits for a late response, and ends after it', async () => {
    const answer = Promise.withResolvers<() => void>();
    await askAndEnd((_, response) => answer.resolve(() => response.end('late')));
    (await answer.promise)();
    let heard = '';
    for await (const chunk of client.setEncoding('utf8')) heard += chunk;
    expect(heard).toMatch(/^HTTP\/1\.1 200 .+late/s);
  });

  it('gets its response even if the service stops in the meantime', async () => {
    const answer = Promise.withResolvers<() => void>();
    await askAndEnd((_, response) => answer.resolve(() => response.end('late')), { stop: 60_000 });
    const stopped = listener.stop();
    (await answer.promise)();
    let heard = '';
    for await (const chunk of client.setEncoding('utf8')) heard += chunk;
    expect(heard).toMatch(/^HTTP\/1\.1 200 .+connection: close\r\n.+late/is);
    await stopped;
  });

  it('is closed when the service stops if there is no response', async () => {
    await askAndEnd(() => {}, { stop: 50 });
    const closed = once(client.resume(), 'close');
    await listener.stop();
    await closed;
  });

  it('is closed if the client does not read the response', async () => {
    // Timeout in milliseconds. It is longer than a busy machine needs between a connection and its request.
    const unread = 2000;
    const socket = await askAndEnd((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)), { unread });
    if (!socket.destroyed) await once(socket, 'close');
  });

  it('is closed when a response cannot be sent because the client is gone', async () => {
    const answer = Promise.withResolvers<() => void>();
    const socket = await askAndEnd((_, response) => {
      answer.resolve(() => {
        const writing = setInterval(() => response.write('more'), 5);
        response.once('close', () => clearInterval(writing));
      });
    });
    client.destroy();
    (await answer.promise)();
    // The socket may report an error, but does not have to.
    await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve)));
  });
});
