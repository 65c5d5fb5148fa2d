import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForFile } from '../support/service.ts';

/** Short timeouts. They are still longer than a busy machine needs between a connection and its first bytes. */
const SHORT = { headers: 400, request: 600, check: 20 };

const terse = serviceForFile({}, SHORT);
let key: string;
beforeAll(async () => {
  key = await terse.newKey();
});

/** Sends data slowly until the server closes the connection. Resolves to the received data. */
async function drip(address: string, start: string, drop: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(start);
  const dripping = setInterval(() => write(socket, drop), 10);
  await once(socket, 'close');
  clearInterval(dripping);
  return answer;
}

function write(socket: Socket, text: string): void {
  if (socket.writable) socket.write(text);
}

const HEAD = 'POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe.each(['api', 'short'] as const)('a slow client of the %s listener', (listener) => {
  it('that sends headers without end is disconnected', async () => {
    const start = 'GET /abc HTTP/1.1\r\nHost: x\r\n';
    const answer = await drip(terse.service.addresses[listener], start, 'X-More: 1\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 (408|431) /);
    expect(answer).toMatch(/^connection: close/im);
  });
});

it.each([
  ['announced', `Content-Length: 9999\r\n`, ' '],
  ['chunked', 'Transfer-Encoding: chunked\r\n', '1\r\n \r\n'],
])('a client whose %s body takes too long is disconnected and not charged', async (_, length, drop) => {
  const answer = await drip(terse.service.addresses.api, `${HEAD}X-API-Key: ${key}\r\n${length}\r\n`, drop);
  expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true);
  // On a stalled machine, this request can time out too, so the test repeats it.
  const left = async () => (await terse.ask('/api/v1/key', { headers: { 'X-API-Key': key } })).json();
  await expect.poll(left).toMatchObject({ quota: { remaining: 20 } });
});

it('the service ignores the rest of a body after the timeout response, and logs the request', async () => {
  const { hostname, port } = new URL(terse.service.addresses.api);
  const body = JSON.stringify({ url: 'https://example.com/', shortCode: 'too-late' });
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const head = `POST /api/v1/urls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-API-Key: ${key}\r\n`;
  terse.log.length = 0;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n{`);
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 408 /);
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  socket.end(body.slice(1));
  await closed;
  const request = { message: 'request', method: 'POST', route: '/api/v1/urls', status: 408 };
  await expect.poll(() => terse.log.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining(request));
  expect((await terse.visit('/too-late')).status).toBe(404);
});
