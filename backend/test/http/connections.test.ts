import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { raw, talk } from '../support/raw.ts';
import { post, serviceForFile, startTestService } from '../support/service.ts';

const terse = serviceForFile();

/** Sends headers, and sends `rest` after the response begins. Resolves to all received data when the connection ends. */
async function askUnfinished(head: string, rest: string): Promise<string> {
  const { socket, heard, closed } = talk(terse.service.addresses.api, head);
  socket.once('data', () => socket.write(rest));
  await closed;
  return heard.text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
}

const statuses = (heard: string) => heard.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(-3)));

const POST = 'POST /api/v1/urls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const LENGTH = 'Content-Length: 9\r\n\r\n';
const LAST = 'GET /nothing-else HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a response before the whole request has arrived', () => {
  it.each([
    ['401', POST + LENGTH],
    ['404', `POST /nothing HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
    ['405', `PUT /api/v1/urls HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
    ['401 to a client that expects 100-continue', `${POST}Expect: 100-continue\r\n${LENGTH}`],
    ['404 to a GET with a body', `GET /nothing HTTP/1.1\r\nHost: x\r\n${LENGTH}`],
  ])('is followed by the response to the next request if the status is %s', async (status, head) => {
    expect(statuses(await askUnfinished(head, `{"a":"b"}${LAST}`))).toEqual([Number(status.slice(0, 3)), 404]);
  });

  it('is not lost while the client still sends', async () => {
    const long = 'a'.repeat(5_000_000);
    const heard = await askUnfinished(`${POST}Content-Length: ${long.length}\r\n\r\n`, long + LAST);
    expect(statuses(heard)?.[0]).toBe(401);
  });
});

it('a request for another protocol is executed like any other', async () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const body = '{"url":"https://example.com/","shortCode":"upgraded"}';
  const create = `${POST}${upgrade}X-API-Key: ${await terse.newKey()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expect(statuses(await askUnfinished(create, LAST))).toEqual([201, 404]);
  const follow = `GET /upgraded HTTP/1.0\r\nHost: x\r\n${upgrade}\r\n`;
  expect(await raw(terse.service.addresses.short, follow)).toMatch(
    /^HTTP\/1\.1 302 .+location: https:\/\/example\.com\//is,
  );
});

/** Short timeouts. They are still longer than a busy machine needs between a connection and its first bytes. */
const SHORT = { headers: 400, request: 600, check: 20 };

const impatient = serviceForFile({}, SHORT);
let key: string;
beforeAll(async () => {
  key = await impatient.newKey();
});

/** Sends data slowly until the server closes the connection. Resolves to the received data. */
async function drip(address: string, start: string, drop: string): Promise<string> {
  const { socket, heard, closed } = talk(address, start);
  const dripping = setInterval(() => socket.writable && socket.write(drop), 10);
  await closed;
  clearInterval(dripping);
  return heard.text;
}

const HEAD = 'POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe.each(['api', 'short'] as const)('a slow client of the %s listener', (listener) => {
  it('that sends headers without end is disconnected', async () => {
    const start = 'GET /abc HTTP/1.1\r\nHost: x\r\n';
    const answer = await drip(impatient.service.addresses[listener], start, 'X-More: 1\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 (408|431) /);
    expect(answer).toMatch(/^connection: close/im);
  });
});

it.each([
  ['announced', `Content-Length: 9999\r\n`, ' '],
  ['chunked', 'Transfer-Encoding: chunked\r\n', '1\r\n \r\n'],
])('a client whose %s body takes too long is disconnected and not charged', async (_, length, drop) => {
  const answer = await drip(impatient.service.addresses.api, `${HEAD}X-API-Key: ${key}\r\n${length}\r\n`, drop);
  expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true);
  // On a stalled machine, this request can time out too, so the test repeats it.
  const left = async () => (await impatient.ask('/api/v1/key', { headers: { 'X-API-Key': key } })).json();
  await expect.poll(left).toMatchObject({ quota: { remaining: 20 } });
});

it('the service ignores the rest of a body after the timeout response, and logs the request', async () => {
  const body = JSON.stringify({ url: 'https://example.com/', shortCode: 'too-late' });
  const head = `POST /api/v1/urls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-API-Key: ${key}\r\n`;
  impatient.log.length = 0;
  const start = `${head}Content-Length: ${body.length}\r\n\r\n{`;
  const { socket, closed } = talk(impatient.service.addresses.api, start);
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 408 /);
  socket.end(body.slice(1));
  await closed;
  const request = { message: 'request', method: 'POST', route: '/api/v1/urls', status: 408 };
  await expect
    .poll(() => impatient.log.map((line) => JSON.parse(line)))
    .toContainEqual(expect.objectContaining(request));
  expect((await impatient.visit('/too-late')).status).toBe(404);
});

/** The drain time exceeds any pause of a busy client. No test waits for its end. */
const LONG_DRAIN = { drain: 20_000, stop: 60_000 };

it('the service answers 503 to a request on an open connection after the stop has begun', async () => {
  const terse = await startTestService();
  const key = await terse.newKey();
  const body = String(post(key, { url: 'https://example.com/' }).body);
  const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  const start = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`;
  const { socket, heard, closed } = talk(terse.service.addresses.api, start);
  // This response shows that the service has received the headers above.
  await terse.ask('/healthz');

  const stopped = terse.service.stop();
  socket.write(`${body.slice(5)}GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await Promise.all([closed, stopped]);
  const [first, second] = heard.text.split(/(?=HTTP\/1\.1 )/);
  expect(first).toMatch(/^HTTP\/1\.1 200 .*"shortUrl"/s);
  expect(second).toMatch(/^HTTP\/1\.1 503 .*"code":"shutting_down"/s);
  expect(second).toMatch(/^connection: close/im);
  await terse.stop();
});

it('the service closes the connection of an endless request when the stop times out', async () => {
  const terse = await startTestService({}, { stop: 100 });
  const key = await terse.newKey();
  const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  const { closed } = talk(terse.service.addresses.api, `${head}\r\nContent-Length: 99\r\n\r\n{`);
  await terse.ask('/healthz');
  await Promise.all([closed, terse.service.stop()]);
  expect(terse.log.join('')).not.toContain('a request failed');
  await terse.stop();
});

/** Sends requests on one connection until a response closes it. Resolves to all responses. */
async function keepBusy(address: string, request: string): Promise<{ answers: string[]; sent: number }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const answers: string[] = [];
  let sent = 0;
  let text = '';
  const send = () => {
    sent += 1;
    socket.write(request);
  };
  socket.on('connect', send).on('data', (chunk) => {
    text += chunk;
    const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
    if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1])) return;
    answers.push(text);
    text = '';
    if (!/^connection: close/im.test(head)) send();
  });
  // `once` rejects if the connection is reset.
  await once(socket, 'close');
  return { answers, sent };
}

it('the service answers all requests of busy connections, and then closes each of them', async () => {
  const terse = await startTestService({ TERSE_THROTTLE: '1000' }, LONG_DRAIN);
  const key = await terse.newKey();
  const body = String(post(key, { url: 'https://example.com/' }).body);
  const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  const create = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { api, short } = terse.service.addresses;
  const visit = 'GET /nothing-here HTTP/1.1\r\nHost: x\r\n\r\n';
  const clients = Array.from({ length: 16 }, (_, at) => (at % 2 ? keepBusy(api, create) : keepBusy(short, visit)));
  // All clients must be busy, because the stop would wait for an idle connection.
  while (terse.log.length < 100) await tick();
  await Promise.all([terse.service.stop(), ...clients]);
  for (const { answers, sent } of await Promise.all(clients)) {
    expect(answers).toHaveLength(sent);
    expect(answers.at(-1)).toMatch(/^connection: close/im);
  }
  await terse.stop();
});

it('the service closes idle and silent connections after the drain time', async () => {
  const terse = await startTestService({}, { drain: 50 });
  const { api } = terse.service.addresses;
  const [idle, silent] = [talk(api, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'), talk(api)];
  await once(idle.socket, 'data');
  await Promise.all([idle.closed, silent.closed, terse.service.stop()]);
  await terse.stop();
});
