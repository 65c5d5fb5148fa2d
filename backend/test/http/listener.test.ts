import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { address, close, createListener, listen } from '../../src/http/listener.ts';
import { TIMEOUTS } from '../../src/http/timeouts.ts';

let end = async (): Promise<void> => {};
afterEach(() => end());

/** A client of a listener that answers so, and what it has heard so far. */
async function client(...[answer, timeouts, options]: Parameters<typeof createListener>) {
  const server = createListener(answer, timeouts, options);
  end = () => close(server, 0);
  await listen(server, { host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(address(server)).port), '127.0.0.1').setEncoding('utf8');
  const heard = { text: '' };
  socket.on('data', (chunk) => {
    heard.text += chunk;
  });
  return { socket, heard };
}

/** What a client hears that sends a good request, and rubbish once the answer to it has come as far as `begun` says. */
async function rubbishAfter(begin: (response: ServerResponse) => void, begun: string): Promise<string> {
  const { socket, heard } = await client((_, response) => begin(response), TIMEOUTS);
  socket.on('data', () => {
    if (heard.text.endsWith(begun)) socket.write('RUBBISH\r\n\r\n');
  });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  if (begun === '') socket.write('RUBBISH\r\n\r\n');
  await once(socket, 'close');
  return heard.text;
}

it('writes nothing into the middle of an answer, and hangs up', async () => {
  const half = (response: ServerResponse) => response.writeHead(200, { 'Content-Length': '8' }).write('half');
  const heard = await rubbishAfter(half, 'half');
  expect(heard).toMatch(/^HTTP\/1\.1 200 .+\r\n\r\nhalf$/s);
});

it('says what is wrong after an answer that has ended, and where none has begun', async () => {
  const after = await rubbishAfter((response) => response.end('whole'), 'whole');
  expect(after).toMatch(/^HTTP\/1\.1 200 .+wholeHTTP\/1\.1 400 .+"code":"invalid_request"}$/s);
  await end();
  const instead = await rubbishAfter(() => {}, '');
  expect(instead).toMatch(/^HTTP\/1\.1 400 .+"code":"invalid_request"}$/s);
});

it('answers all of a row of requests where no body is read, though one has a body', async () => {
  const { socket, heard } = await client(({ method, url }, response) => response.end(`${method} ${url};`), TIMEOUTS, {
    readsBodies: false,
  });
  const head = 'HTTP/1.1\r\nHost: x\r\n';
  socket.write(`GET /1 ${head}\r\nPOST /2 ${head}Content-Length: 4\r\n\r\nbodyHEAD /3 ${head}\r\n`);
  socket.write(
    `POST /4 ${head}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nGET /5 ${head}Connection: close\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(heard.text.match(/(GET|POST|HEAD) \/\d;/g)).toEqual(['GET /1;', 'POST /2;', 'POST /4;', 'GET /5;']);
  expect(heard.text.match(/HTTP\/1\.1 200 /g)).toHaveLength(5);
});
