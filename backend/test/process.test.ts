import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { ShortenAnswer } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { isWellFormedKey } from '../src/domain/accounts/api-keys.ts';
import { awayFromMidnight } from './support/clock.ts';
import { makeDatabase } from './support/process.ts';
import { freePort } from './support/raw.ts';
import { checkError, post } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';

const folder = folderForEach();

const newKey = async () => (await folder.run(['keys', 'create', '--name', 'laptop'])).stdout.trim();
const shorten = (api: string, key: string, headers?: Record<string, string>) =>
  fetch(`${api}/api/shorten`, post(key, { url: 'https://example.com/secret-path?token=hidden' }, headers));

describe('the command line', () => {
  beforeEach(() => makeDatabase(folder.path));

  it('prints a new key without other text, lists the key and revokes it', async () => {
    const made = await folder.run(['keys', 'create', '--name', ' laptop ', '--quota', '5', '--throttle', '0.5']);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout.endsWith('\n')).toBe(true);
    const key = made.stdout.trim();
    expect(isWellFormedKey(key)).toBe(true);
    const listed = await folder.run(['keys', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`^1 +…${key.slice(-4)} +laptop +create,read,manage +\\S+Z +- +-$`, 'm'));
    expect(listed.stdout).not.toContain(key);
    expect((await folder.run(['keys', 'revoke', '1'])).code).toBe(0);
    expect((await folder.run(['keys', 'list'])).stdout).toMatch(/laptop +create,read,manage +\S+Z +- +\S+Z$/m);
  });

  it('creates keys with the requested scopes only', async () => {
    const scoped = ['keys', 'create', '--name', 'phone', '--scopes', 'read, create', '--own-links'];
    const key = (await folder.run(scoped)).stdout.trim();
    expect((await folder.run(['keys', 'list'])).stdout).toMatch(/phone +create,read \(own links\) +\S+Z/m);
    const { addresses } = await folder.serve();
    const answer = await fetch(`${addresses.api}/api/v1/key`, { headers: { 'X-API-Key': key } });
    expect(await answer.json()).toMatchObject({ scopes: ['create', 'read'], ownLinksOnly: true });
  });

  it.each([
    [['keys', 'create', '--name', ' ']],
    [['keys', 'create', '--name', 'a', '--quota', '-1']],
    [['keys', 'create', '--name', 'a', '--scopes', 'create,delete']],
    [['keys', 'create', '--name', 'a', '--scopes', 'read', '--own-links']],
    [['keys', 'revoke', '77']],
  ])('explains the mistake in %j', async (args) => {
    const { code, stdout, stderr } = await folder.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^.+\.\n(\nUsage: .*)?$/s);
  });

  it('prints help and version, even if the configuration is invalid', async () => {
    const broken = { TERSE_LISTEN: 'x' };
    for (const args of [['--help'], ['-h'], ['keys', '--help']]) {
      const { code, stdout, stderr } = await folder.run(args, broken);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: terse /);
    }
    const { stdout } = await folder.run(['--version'], broken);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('reports every mistake in the configuration and does not start', async () => {
    const mistakes = { TERSE_THROTTLE: 'fast', TERSE_DATABASE: 'mysql://x', TERSE_LISTEN: 'here' };
    const { code, stderr } = await folder.run(['serve'], mistakes);
    expect(code).toBe(78);
    expect(stderr.trim().split('\n')).toHaveLength(3);
    for (const name of Object.keys(mistakes)) expect(stderr).toContain(`${name} must be`);
  });

  it('reports which address is in use', async () => {
    const { addresses } = await folder.serve();
    const { host } = new URL(addresses.api);
    const listen = { TERSE_LISTEN: host, TERSE_SHORT_LISTEN: '127.0.0.1:0' };
    const other = await folder.run(['serve'], { ...listen, TERSE_DATABASE: 'file:./other/terse.db' });
    expect(other.code).toBe(1);
    expect(other.stderr).toContain(host);
    expect(other.stderr).not.toContain('    at ');
  });
});

describe('the process', () => {
  it('accepts a key that was created while it runs, and keeps everything after a restart', async () => {
    await awayFromMidnight();
    const first = await folder.serve();
    const key = await newKey();
    const { shortUrl } = ShortenAnswer.parse(await (await shorten(first.addresses.api, key)).json());
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await folder.serve();
    const code = new URL(shortUrl).pathname;
    const response = await fetch(second.addresses.short + code, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe('https://example.com/secret-path?token=hidden');
    const left = await fetch(`${second.addresses.api}/api/v1/key`, { headers: { 'X-API-Key': key } });
    expect(await left.json()).toMatchObject({ quota: { remaining: 19 } });
    expect(await second.end('SIGINT')).toBe(0);
  });

  it('warns if keys would be sent without encryption', async () => {
    const open = await folder.serve({ TERSE_BASE_URL: 'http://links.example.com' });
    await expect.poll(open.stderr).toContain('TERSE_BASE_URL is not https');
    await open.end('SIGTERM');
    const closed = await folder.serve({ TERSE_BASE_URL: 'https://links.example.com' });
    await closed.end('SIGTERM');
    expect(closed.stderr()).not.toContain('is not https');
  });

  it('ends at once on a second signal, with its number in the exit code', async () => {
    const { addresses, child, end } = await folder.serve();
    const { hostname, port } = new URL(addresses.api);
    // A request that never ends. Without the second signal, the process would wait for the request.
    const headers = { 'X-API-Key': await newKey(), 'Content-Type': 'application/json', 'Content-Length': 9 };
    const endless = request({ hostname, port, method: 'POST', path: '/api/shorten', headers });
    endless.on('error', () => {}).flushHeaders();
    await fetch(`${addresses.api}/healthz`);
    child.kill('SIGTERM');
    await refused(`${addresses.api}/healthz`);
    expect(await end('SIGINT')).toBe(130);
  });

  it('writes the buffered log lines when it is ended at once', async () => {
    const { child, stderr, end } = await folder.serve();
    // The test sends both signals within one tick of the event loop.
    child.kill('SIGTERM');
    await end('SIGINT');
    expect(stderr()).toContain('"message":"stopping"');
  });

  it('logs every request as a line of JSON, without keys, addresses, URLs or queries', async () => {
    const { addresses, stderr, end } = await folder.serve();
    const key = await newKey();
    const { shortUrl } = ShortenAnswer.parse(
      await (await shorten(addresses.api, key, { 'Idempotency-Key': 'idem-1' })).json(),
    );
    await checkError(await fetch(`${addresses.api}/nothing/here?token=hidden`));
    await checkError(await fetch(`${addresses.api}/api/v1/key?key=${key}`, { headers: { 'X-API-Key': `${key}x` } }));
    await fetch(shortUrl, { redirect: 'manual' });
    await end('SIGTERM');

    const lines = stderr()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ message }) => message)).toEqual([
      'listening',
      'request',
      'request',
      'request',
      'stopping',
      'stopped',
    ]);
    const requests = lines.filter(({ message }) => message === 'request');
    expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/api/shorten', 200],
      ['GET', null, 404],
      ['GET', '/api/v1/key', 401],
    ]);
    const logged = requests.map((line) => JSON.stringify(line)).join('\n');
    for (const secret of [
      key,
      key.slice(-4),
      'example.com',
      'hidden',
      'secret-path',
      '127.0.0.1',
      'nothing',
      'idem-1',
    ]) {
      expect(logged, secret).not.toContain(secret);
    }
  });
});

async function refused(url: string): Promise<void> {
  while (
    await fetch(url, { headers: { Connection: 'close' } }).then(
      () => true,
      () => false,
    )
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it.each([['main.ts', 'health'], ['healthcheck.ts']])(
  'the exit code of %s tells if the service accepts requests',
  async (program, ...args) => {
    const settings = { TERSE_LISTEN: `127.0.0.1:${await freePort()}` };
    const serving = await folder.serve(settings);
    expect(await folder.run(args, settings, program)).toEqual({ code: 0, stdout: '', stderr: '' });
    await serving.end('SIGTERM');
    const { code, stderr } = await folder.run(args, settings, program);
    expect([code, stderr]).toEqual([1, `${serving.addresses.api}/readyz does not respond.\n`]);
    expect((await folder.run(args, { TERSE_LISTEN: 'nowhere' }, program)).code).toBe(78);
  },
);

it('the health check of the container loads only two modules, so that it is fast', async () => {
  await folder.run([], { NODE_V8_COVERAGE: folder.path }, 'healthcheck.ts');
  const [report = ''] = readdirSync(folder.path);
  const { result } = JSON.parse(readFileSync(folder.file(report), 'utf8')) as { result: { url: string }[] };
  const loaded = result.flatMap(({ url }) => /backend\/src\/(.+)/.exec(url)?.[1] ?? []);
  expect(loaded.sort()).toEqual(['healthcheck.ts', 'http/listen-address.ts']);
});
