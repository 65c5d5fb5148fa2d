import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';

/**
 * Program of a server that responds immediately and has a body timeout of an hour. Any input on stdin closes the
 * server.
 */
const SERVER = `
  import { createServer } from 'node:http';
  import { withBodyTimeout } from '${new URL('../../src/http/timeouts.ts', import.meta.url)}';
  const server = createServer(withBodyTimeout((_, response) => response.writeHead(404).end(), 3_600_000));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.once('data', () => {
    process.stdin.destroy();
    server.close();
  });
`;

it('a request body that never arrives does not keep the process alive after the response', async () => {
  const server = spawn(process.execPath, ['--input-type=module', '--eval', SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  try {
    const [port] = await once(server.stdout, 'data');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    server.stdin.write('close');
    expect(await ended).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
  }
});
