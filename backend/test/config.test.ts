import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

function sentences(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
}

describe('the configuration', () => {
  it('has a sensible value for everything', () => {
    expect(readConfig({ TERSE_BASE_URL: '' })).toEqual({
      listen: { host: '127.0.0.1', port: 8787 },
      shortListen: { host: '127.0.0.1', port: 8788 },
      baseUrl: null,
      shortBaseUrl: null,
      database: { engine: 'sqlite', path: './data/terse.db' },
      limits: { throttle: 1, quota: 20 },
      allowPrivateTargets: false,
    });
  });

  it('takes what is given', () => {
    const given = {
      TERSE_LISTEN: '[::1]:0',
      TERSE_SHORT_LISTEN: '0.0.0.0:80',
      TERSE_BASE_URL: 'https://links.example.com/',
      TERSE_SHORT_BASE_URL: 'http://sho.rt:8080',
      TERSE_DATABASE: 'file:/var/lib/terse/db',
      TERSE_DAILY_QUOTA: '500',
      TERSE_THROTTLE: '2.5',
      TERSE_ALLOW_PRIVATE_TARGETS: 'true',
    };
    expect(readConfig(given)).toEqual({
      listen: { host: '::1', port: 0 },
      shortListen: { host: '0.0.0.0', port: 80 },
      baseUrl: 'https://links.example.com',
      shortBaseUrl: 'http://sho.rt:8080',
      database: { engine: 'sqlite', path: '/var/lib/terse/db' },
      limits: { throttle: 2.5, quota: 500 },
      allowPrivateTargets: true,
    });
  });

  const listen = 'must be HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787.';
  const origin = 'must be an address without a path, such as https://links.example.com.';
  const quota = 'must be a whole number from 1 to 999999999.';
  const throttle = 'must be a number of requests a second from 0.001 to 100000.';
  it.each([
    ['TERSE_LISTEN', 'localhost', listen],
    ['TERSE_LISTEN', '127.0.0.1:65536', listen],
    ['TERSE_LISTEN', '::1:80', listen],
    ['TERSE_SHORT_LISTEN', ':80', listen],
    ['TERSE_BASE_URL', 'links.example.com', origin],
    ['TERSE_BASE_URL', 'https://example.com/links', origin],
    ['TERSE_BASE_URL', 'https://user@example.com', origin],
    ['TERSE_SHORT_BASE_URL', 'ftp://example.com', origin],
    ['TERSE_SHORT_BASE_URL', 'https://example.com/?a', origin],
    ['TERSE_DATABASE', './terse.db', 'must be file:PATH, such as file:./data/terse.db.'],
    ['TERSE_DATABASE', 'file:', 'must be file:PATH, such as file:./data/terse.db.'],
    ['TERSE_DAILY_QUOTA', '0', quota],
    ['TERSE_DAILY_QUOTA', 'many', quota],
    ['TERSE_DAILY_QUOTA', '1.5', quota],
    ['TERSE_THROTTLE', '0', throttle],
    ['TERSE_THROTTLE', '-1', throttle],
    ['TERSE_THROTTLE', '1e3', throttle],
    ['TERSE_ALLOW_PRIVATE_TARGETS', 'yes', 'must be true or false.'],
    ['TERSE_SHORT_LISTEN', '127.0.0.1:8787', 'must not be the same address as TERSE_LISTEN.'],
  ])('refuses %s=%s', (name, value, sentence) => {
    expect(sentences({ [name]: value })).toEqual([`${name} ${sentence}`]);
  });

  it('names every mistake at once', () => {
    expect(sentences({ TERSE_LISTEN: 'x', TERSE_THROTTLE: 'x', TERSE_DATABASE: 'x' })).toHaveLength(3);
  });
});
