import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { post, startTestService } from '../support/service.ts';

it('answers a request that comes after the stop, on a connection still in use, with 503', async () => {
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
  // Whoever is answered now came after the head above.
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

it('cuts off a request that does not end, once its patience is over', async () => {
  const terse = await startTestService({}, { stop: 100 });
  const key = await terse.newKey();
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).resume();
  socket.write(
    `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  await terse.ask('/healthz');
  // Neither the client nor the service ends this but by the cut.
  await Promise.all([once(socket, 'close'), terse.service.stop()]);
  expect(terse.log.join('')).not.toContain('a request failed');
  await terse.stop();
});
