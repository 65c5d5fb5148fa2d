import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { post, startTestService } from '../support/service.ts';

/** The drain time exceeds any pause of a busy client. No test waits for its end. */
const LONG_DRAIN = { drain: 20_000, stop: 60_000 };

it('the service answers 503 to a request on an open connection after the stop has begun', async () => {
  const terse = await startTestService();
  const key = await terse.newKey();
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answers = '';
  socket.on('data', (chunk) => {
    answers += chunk;
  });
  const body = String(post(key, { url: 'https://example.com/' }).body);
  const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  // This response shows that the service has received the headers above.
  await terse.ask('/healthz');

  const stopped = terse.service.stop();
  socket.write(`${body.slice(5)}GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'close');
  await stopped;
  const [first, second] = answers.split(/(?=HTTP\/1\.1 )/);
  expect(first).toMatch(/^HTTP\/1\.1 200 .*"shortUrl"/s);
  expect(second).toMatch(/^HTTP\/1\.1 503 .*"code":"shutting_down"/s);
  expect(second).toMatch(/^connection: close/im);
  await terse.stop();
});

it('the service closes the connection of an endless request when the stop times out', async () => {
  const terse = await startTestService({}, { stop: 100 });
  const key = await terse.newKey();
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).resume();
  socket.write(
    `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  await terse.ask('/healthz');
  await Promise.all([once(socket, 'close'), terse.service.stop()]);
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
  const { hostname, port } = new URL(terse.service.addresses.api);
  const [idle, silent] = [connect(Number(port), hostname), connect(Number(port), hostname).resume()];
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'data');
  await Promise.all([once(idle, 'close'), once(silent, 'close'), terse.service.stop()]);
  await terse.stop();
});
