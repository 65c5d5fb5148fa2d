import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { FIREFOX } from './store.ts';

/** Connects to a server, sends a text, and collects what the server sends. */
export function talk(address: string, text: string | Buffer = '') {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const heard = { text: '' };
  socket.on('data', (chunk) => (heard.text += chunk)).on('error', () => {});
  socket.write(text);
  return { socket, heard, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

/** Sends a text, and returns everything that the server sends until it closes the connection. */
export async function raw(address: string, text: string | Buffer): Promise<string> {
  const { heard, closed } = talk(address, text);
  await closed;
  return heard.text;
}

/** Parses one HTTP/1.1 response with a Content-Length. */
export function parseAnswer(text: string): Response {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(body, { status: Number(statusLine.split(' ')[1]), headers });
}

/** Returns the target of a redirect. Unlike `fetch`, accepts headers of more than 16 KiB. */
export async function locationOf(address: string): Promise<string | undefined> {
  const [response] = (await once(get(address, { maxHeaderSize: 128 * 1024 }), 'response')) as [IncomingMessage];
  response.resume();
  return response.headers.location;
}

/** Follows a short code on a host. Returns the target or the status. `fetch` allows no other Host header. */
export async function follow(address: string, host: string, code: string): Promise<string | number> {
  const headers = { Host: host, 'User-Agent': FIREFOX };
  const [response] = (await once(get(`${address}/${code}`, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.headers.location ?? response.statusCode ?? 0;
}

/**
 * Returns a free port, for programs that cannot report a port that the system chose. The system chooses from 32,768, so
 * a lower port stays free until the program uses it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}
