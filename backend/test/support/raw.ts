import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';

export async function raw(address: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
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
