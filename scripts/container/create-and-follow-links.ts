import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** Client that creates and follows links through Caddy. It uses the host names of both the API and the short URLs. */
export class Visitor {
  private apiKey = '';
  private count = 0;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  useKey(key: string): void {
    this.apiKey = key;
  }

  /** @throws if the service does not create the link */
  makeLink(): { shortUrl: string; url: string } {
    this.count += 1;
    const url = `https://example.com/${this.count}`;
    const options = ['--fail-with-body', '--header', `X-API-Key: ${this.apiKey}`, '--json', JSON.stringify({ url })];
    const { shortUrl } = JSON.parse(this.curl(...options, 'https://links.localhost/api/shorten'));
    assert.ok(shortUrl.startsWith('https://short.localhost/'), shortUrl);
    return { shortUrl, url };
  }

  /** Returns the destination of a short URL, or null if the service does not redirect. */
  follow(shortUrl: string): string | null {
    const answer = this.curl('--output', '/dev/null', '--write-out', '%{http_code} %{redirect_url}', shortUrl);
    const [status, location] = answer.split(' ');
    assert.ok(status === '302' || status === '404', `${shortUrl}: ${status}`);
    return location || null;
  }

  /** Connects to Caddy's local port without DNS, and accepts Caddy's self-signed certificate. */
  private curl(...args: string[]): string {
    const options = ['--silent', '--insecure', '--connect-to', `::127.0.0.1:${this.port}`];
    return execFileSync('curl', [...options, ...args], { encoding: 'utf8' });
  }
}
