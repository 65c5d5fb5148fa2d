import { createServer } from 'node:http';

/** The baseline of all comparisons is a Node server that redirects with the least possible work. */
createServer((_, response) => {
  response.writeHead(302, { Location: 'https://example.com/', 'Content-Length': '0' });
  response.end();
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.stderr.write('{"message":"listening"}\n'));
