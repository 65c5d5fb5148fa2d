import { beforeEach, describe, expect, it } from 'vitest';
import { parseAnswer, raw } from '../support/raw.ts';
import { checkError, serviceForFile, type TestService } from '../support/service.ts';

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
