import { createServer } from 'node:http';

/** Baseline of all comparisons: the least work with which a Node server can redirect. */
createServer((_, response) => {
  response.writeHead(302, { Location: 'https://example.com/', 'Content-Length': '0' });
  response.end();
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.stderr.write('{"message":"listening"}\n'));
