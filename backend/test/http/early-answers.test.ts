import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { raw } from '../support/raw.ts';
import { serviceForFile } from '../support/service.ts';

const terse = serviceForFile();

/** Sends headers, and sends `rest` after the response begins. Resolves to all received data when the connection ends. */
async function askUnfinished(head: string, rest: string): Promise<string> {
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(head);
  let heard = '';
  for await (const chunk of socket) {
    if (heard === '') socket.write(rest);
    heard += chunk;
  }
  return heard.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
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
