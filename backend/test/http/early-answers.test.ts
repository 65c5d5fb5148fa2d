import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { raw } from '../support/raw.ts';
import { startTestService, type TestService } from '../support/service.ts';

let terse: TestService;
beforeAll(async () => {
  terse = await startTestService({ TERSE_METRICS_LISTEN: '127.0.0.1:0' });
});
afterAll(() => terse.stop());

/**
 * Sends headers, and sends `rest` after the response begins. Resolves to all received data when the connection
 * closes.
 */
async function askUnfinished(head: string, rest: string): Promise<{ heard: string; wasReset: boolean }> {
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.write(head);
  await once(socket, 'data');
  const closed = new Promise<boolean>((resolve) => socket.on('error', () => {}).once('close', resolve));
  socket.write(rest);
  const wasReset = await closed;
  return { heard: heard.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''), wasReset };
}

const POST = 'POST /api/v1/urls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const LENGTH = 'Content-Length: 9\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const NEXT = 'GET /nothing-else HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a response before the whole request has arrived', () => {
  it.each([
    ['401', POST + LENGTH],
    ['401 to a chunked body', POST + CHUNKED],
    ['404', `POST /nothing HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
    ['405', `PUT /api/v1/urls HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
    ['400 without a host', `POST / HTTP/1.1\r\n${LENGTH}`],
    ['401 to a client that expects 100-continue', `${POST}Expect: 100-continue\r\n${LENGTH}`],
    ['404 to a GET with a body', `GET /nothing HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
  ])('closes the connection if the status is %s', async (status, head) => {
    terse.log.length = 0;
    const { heard } = await askUnfinished(head, `{"a":"b"}${NEXT}`);
    expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status.slice(0, 3)} `));
    expect(heard.match(/^connection: .+/gim)).toEqual(['Connection: close']);
    // The service did not treat the data after the response as a request.
    expect(terse.log.filter((line) => line.includes('"message":"request"'))).toHaveLength(1);
  });

  it.each([
    ['with its length', 'Content-Length: 99999\r\n\r\n'],
    ['in pieces', `${CHUNKED}10001\r\n${'a'.repeat(0x10001)}\r\n`],
  ])('closes the connection if a body that is sent %s is too large', async (_, body) => {
    const creator = await terse.newKey();
    const { heard } = await askUnfinished(`${POST}X-API-Key: ${creator}\r\n${body}`, 'a'.repeat(100_000));
    expect(heard).toMatch(/^HTTP\/1\.1 413 .+"code":"body_too_large"}$/s);
    expect(heard.match(/^connection: .+/gim)).toEqual(['Connection: close']);
  });
});

it('a response is not lost by a reset while the client still sends', async () => {
  // The service waits two seconds for the client to close the connection. With fake timers, these seconds never pass.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const long = 'a'.repeat(5_000_000);
  const { heard, wasReset } = await askUnfinished(`${POST}Content-Length: ${long.length}\r\n\r\n`, long);
  expect([heard.slice(0, 13), wasReset]).toEqual(['HTTP/1.1 401 ', false]);
});

it.each([
  ['api', '/healthz', 200],
  ['short', '/nothing-here', 404],
  ['metrics', '/metrics', 200],
] as const)(
  'a response ends its connection if the client requested an upgrade, on the %s listener',
  async (name, path, status) => {
    const upgrade = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const heard = await raw(terse.service.addresses[name] ?? '', upgrade + NEXT);
    expect(heard.match(/HTTP\/1\.1 \d+|^connection: .+/gim)).toEqual([`HTTP/1.1 ${status}`, 'Connection: close']);
  },
);

it('a response ends its connection if the client requested an upgrade, although the request is executed', async () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const body = '{"url":"https://example.com/","shortCode":"upgraded"}';
  const create = `${POST}${upgrade}X-API-Key: ${await terse.newKey()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const made = await raw(terse.service.addresses.api, create + NEXT);
  expect(made.match(/HTTP\/1\.1 \d+|^connection: .+/gim)).toEqual(['HTTP/1.1 201', 'Connection: close']);
  const follow = `GET /upgraded HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`;
  const led = await raw(terse.service.addresses.short, follow + NEXT);
  expect(led.match(/HTTP\/1\.1 \d+|^(connection|location): .+/gim)).toEqual([
    'HTTP/1.1 302',
    'Connection: close',
    'Location: https://example.com/',
  ]);
});

it('a response keeps the connection open if the whole request has arrived', async () => {
  const { heard } = await askUnfinished(`${POST}${LENGTH}{"a":"b"}`, NEXT.replace('\r\n', '\r\nConnection: close\r\n'));
  expect(heard.match(/HTTP\/1\.1 \d+|^connection: .+/gim)).toEqual([
    'HTTP/1.1 401',
    'Connection: keep-alive',
    'HTTP/1.1 404',
    'Connection: close',
  ]);
});
