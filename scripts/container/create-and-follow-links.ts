import assert from 'node:assert/strict';
import { request } from 'node:https';

/** Client that creates and follows links through Caddy. It uses the host names of both the API and the short URLs. */
export interface Visitor {
  useKey(key: string): void;
  makeLink(): Promise<{ shortUrl: string; url: string }>;
  /** Returns the destination of a short URL, or null if the service does not redirect. */
  follow(shortUrl: string): Promise<string | null>;
}

export function openVisitor(port: number): Visitor {
  let apiKey = '';
  let count = 0;

  function ask(url: URL, method: string, headers: Record<string, string>, body = '') {
    // Connects to Caddy's local port without DNS, and accepts Caddy's self-signed certificate.
    const options = {
      host: '127.0.0.1',
      port,
      servername: url.hostname,
      rejectUnauthorized: false,
      agent: false,
    } as const;
    return new Promise<{ status: number; location: string | null; text: string }>((resolve, reject) => {
      const asked = request(
        { ...options, method, path: url.pathname, headers: { Host: url.hostname, ...headers } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text }),
          );
        },
      );
      asked.on('error', reject).end(body);
    });
  }

  return {
    useKey(key) {
      apiKey = key;
    },
    async makeLink() {
      count += 1;
      const url = `https://example.com/${count}`;
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
      const answer = await ask(
        new URL('https://links.localhost/api/shorten'),
        'POST',
        headers,
        JSON.stringify({ url }),
      );
      assert.equal(answer.status, 200, answer.text);
      const { shortUrl } = JSON.parse(answer.text) as { shortUrl: string };
      assert.ok(shortUrl.startsWith('https://short.localhost/'), shortUrl);
      return { shortUrl, url };
    },
    async follow(shortUrl) {
      const { status, location } = await ask(new URL(shortUrl), 'GET', {});
      assert.ok(status === 302 || status === 404, `${shortUrl}: ${status}`);
      return location;
    },
  };
}
