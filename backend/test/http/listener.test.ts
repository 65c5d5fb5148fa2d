import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpTimeouts, startHttpServer } from '../../src/http/http-server.ts';
import { TIMEOUTS } from '../../src/server/start-service.ts';
import { parseAnswer, raw, talk } from '../support/raw.ts';
import { checkError, serviceForFile, type TestService } from '../support/service.ts';

let end = async (): Promise<void> => {};
afterEach(() => end());

/** Starts a server with this handler. Returns its port. */
async function start(answer: RequestListener, timeouts: HttpTimeouts = TIMEOUTS): Promise<number> {
  const address = { host: '127.0.0.1', port: 0 };
  const server = await startHttpServer(address, () => answer, { ...timeouts, drain: 0, stop: 0 });
  end = server.stop;
  return Number(new URL(server.origin).port);
}

/** Starts a server with this handler and connects a client. The client collects the received data. */
async function client(answer: RequestListener, timeouts?: HttpTimeouts) {
  return talk(`http://127.0.0.1:${await start(answer, timeouts)}`);
}

/**
 * Sends a valid request and, when the response matches `begun`, invalid data. Returns everything that the client
 * receives.
 */
async function rubbishAfter(begin: (response: ServerResponse) => unknown, begun: string): Promise<string> {
  const { socket, heard } = await client((_, response) => begin(response));
  socket.on('data', () => {
    if (heard.text.endsWith(begun)) socket.write('RUBBISH\r\n\r\n');
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  if (begun === '') socket.write('RUBBISH\r\n\r\n');
  await once(socket, 'close');
  return heard.text;
}

const WHOLE_THEN_400 = /^HTTP\/1\.1 200 .+wholeHTTP\/1\.1 400 .+"code":"invalid_request"}$/s;
const WHOLE = /^HTTP\/1\.1 200 .+\r\n\r\nwhole$/s;

it('if invalid data follows a complete response, the listener sends an error after the response', async () => {
  const heard = await rubbishAfter((response) => response.end('whole'), 'whole');
  expect(heard).toMatch(WHOLE_THEN_400);
});

it('if invalid data arrives before a response, the listener sends the response, then closes the connection', async () => {
  const late = (response: ServerResponse) => setTimeout(() => response.end('whole'), 50);
  expect(await rubbishAfter(late, '')).toMatch(WHOLE);
});

it('if invalid data arrives during a response, the listener completes the response, then closes the connection', async () => {
  const halves = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': '5' }).write('wh');
    setTimeout(() => response.end('ole'), 50);
  };
  expect(await rubbishAfter(halves, 'wh')).toMatch(WHOLE);
});

it('if a request body becomes invalid after the response began, the listener closes the connection', async () => {
  const { socket, heard } = await client((_, response) => response.writeHead(200).write('early'));
  socket.on('data', () => socket.write('RUBBISH\r\n'));
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(socket, 'close');
  expect(heard.text).toMatch(/^HTTP\/1\.1 200 .+early\r\n$/s);
});

it('if the rest of a request is invalid, the listener sends an error at once', async () => {
  const { socket, heard } = await client(() => {});
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nRUBBISH\r\n');
  await once(socket, 'close');
  expect(heard.text).toMatch(/^HTTP\/1\.1 400 .+"code":"invalid_request"}$/s);
});

it('the listener answers all pipelined requests before an invalid one', async () => {
  const { socket, heard } = await client(({ url }, response) => {
    // The later responses are ready first, but must wait for the first one.
    setTimeout(() => response.end(`whole ${url}`), url === '/1' ? 50 : 0);
  });
  const row = [1, 2, 3].map((number) => `GET /${number} HTTP/1.1\r\nHost: x\r\n\r\n`);
  socket.write(`${row.join('')}RUBBISH\r\n\r\n`);
  await once(socket, 'close');
  expect(heard.text.match(/whole \/\d|HTTP\/1\.1 400/g)).toEqual(['whole /1', 'whole /2', 'whole /3']);
});

it('the listener disconnects a client that does not read its response', async () => {
  const hungUp = Promise.withResolvers<void>();
  const whole = Buffer.alloc(64 * 1024 * 1024);
  const { socket } = await client(
    (request, response) => {
      request.socket.once('close', () => hungUp.resolve());
      response.end(whole);
    },
    // The timeout is long enough for a request on a busy machine. With a shorter timeout, the server would close the
    // connection before the request arrives.
    { ...TIMEOUTS, unread: 1000 },
  );
  socket.on('error', () => {}).pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await hungUp.promise;
  socket.destroy();
});

it('the listener sends the whole response to a slow but steady client', async () => {
  // The client reads 9 KB per second. To keep the test fast, all times are divided by 100.
  const [scale, bytesPerSecond] = [100, 9_000];
  const whole = 24 * 1024 * 1024;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const timeouts = { ...TIMEOUTS, unread: TIMEOUTS.unread / scale };
  const port = await start((_, response) => response.end(Buffer.alloc(whole)), timeouts);
  const socket = connect(port, '127.0.0.1');
  socket.on('close', resolve).on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let taken = 0;
  // The kernel accepts more data only after the client has read megabytes. Until then, the service sees no progress.
  socket.on('data', ({ length }) => {
    taken += length;
    if (taken > 3_000_000) return;
    socket.pause();
    setTimeout(() => socket.resume(), (length / bytesPerSecond / scale) * 1000);
  });
  await closed;
  expect(taken).toBeGreaterThan(whole);
});

it('a server stops listening if its handler cannot be created', async () => {
  let origin = '';
  const create = (listening: string) => {
    origin = listening;
    throw new Error('on purpose');
  };
  await expect(startHttpServer({ host: '127.0.0.1', port: 0 }, create, TIMEOUTS)).rejects.toThrow('on purpose');
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
});

const METRICS = { TERSE_METRICS_LISTEN: '127.0.0.1:0' };
const terse = serviceForFile(METRICS);
/**
 * A service with short timeouts. They are longer than a busy machine needs between a connection and its first bytes.
 */
const impatient = serviceForFile(METRICS, { headers: 500, request: 500, check: 10 });
beforeEach(() => {
  terse.log.length = 0;
  impatient.log.length = 0;
});

const requestLines = ({ log }: TestService) =>
  log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request');

async function metric({ service }: TestService, name: string): Promise<number> {
  const text = await (await fetch(`${service.addresses.metrics}/metrics`)).text();
  const line = text.split('\n').find((line) => line.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

const MALFORMED: [string, number, string][] = [
  ['nonsense', 400, 'RUBBISH\r\n\r\n'],
  ['no host', 400, 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two hosts', 400, 'GET /api HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'],
  ['two lengths', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a length and chunks',
    400,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a NUL in a header', 400, 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
  ['headers that are too large', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`],
  ['more than a thousand headers', 431, `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(1000)}\r\n`],
  ['headers that do not end', 408, 'GET / HTTP/1.1\r\nHost: x\r\n'],
];

describe.each(MALFORMED)('a request with %s', (_, status, request) => {
  const asked = () => (status === 408 ? impatient : terse);

  it(`is answered ${status} by the API with a JSON error, logged and counted once`, async () => {
    const histogram = 'terse_http_request_duration_seconds_count{method="other",route="none",status="4xx"}';
    const before = await metric(asked(), histogram);
    const answer = parseAnswer(await raw(asked().service.addresses.api, request));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await checkError(answer);
    expect(requestLines(asked())).toMatchObject([{ method: null, route: null, status }]);
    expect(await metric(asked(), histogram)).toBe(before + 1);
  });

  it(`is answered ${status} by the short host, and counted once`, async () => {
    const counter = 'terse_redirects_total{outcome="malformed"}';
    const before = await metric(asked(), counter);
    const answer = parseAnswer(await raw(asked().service.addresses.short, request));
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
    expect(await metric(asked(), counter)).toBe(before + 1);
    expect(requestLines(asked())).toEqual([]);
  });
});

it('a malformed request to the metrics is answered 400', async () => {
  expect(parseAnswer(await raw(terse.service.addresses.metrics ?? '', 'RUBBISH\r\n\r\n')).status).toBe(400);
});

it('a request with an invalid host is answered 400 by the API with a JSON error, and logged', async () => {
  const text = 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n';
  const answer = parseAnswer(await raw(terse.service.addresses.api, text));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  await checkError(answer);
  expect(requestLines(terse)).toMatchObject([{ method: null, route: null, status: 400 }]);
});

it('the service neither logs nor counts a connection without a request', async () => {
  for (const address of [impatient.service.addresses.api, impatient.service.addresses.short]) {
    expect(await raw(address, '')).toMatch(/^HTTP\/1\.1 408 /);
  }
  expect(requestLines(impatient)).toEqual([]);
});

it('the service sends nothing after the last response of a connection', async () => {
  const last = 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const heard = await raw(terse.service.addresses.short, `${last}RUBBISH\r\n\r\n`);
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
});
