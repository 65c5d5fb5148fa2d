import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { URL_BYTES } from '../../src/domain/links/link-rules.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { type RunningProxy, startCaddy, startHaproxy, startNginx } from '../support/proxies.ts';
import { locationOf } from '../support/raw.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';
import { holder } from '../support/visitor.ts';

const BURST = 60;

const folder = folderForEach();
let terse: TestService | null;
let proxy: RunningProxy | null;
beforeEach(() => {
  [terse, proxy] = [null, null];
});
afterEach(async () => {
  await proxy?.stop();
  await terse?.stop();
});

async function startTerse(environment: Record<string, string> = {}): Promise<TestService> {
  terse = await startTestService({ TERSE_TRUSTED_PROXIES: '127.0.0.1', ...environment });
  return terse;
}

async function guess(count: number, headers: (at: number) => Record<string, string>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let at = 0; at < count; at += 1) {
    statuses.add((await fetch(`${proxy?.short}/guess${at}`, { headers: headers(at) })).status);
  }
  return statuses;
}

const inXForwardedFor = (at: number) => ({ 'X-Forwarded-For': `203.0.113.${at}` });
const inForwarded = (at: number) => ({ Forwarded: `for=203.0.113.${at}` });

describe('a client that sends a different address with each guess is limited', () => {
  it.each([
    ['X-Forwarded-For', inXForwardedFor],
    ['Forwarded', inForwarded],
  ])('behind Caddy with our Caddyfile, in %s', async (_, headers) => {
    const { service } = await startTerse();
    proxy = await startCaddy(folder.path, service.addresses);
    expect(await guess(BURST + 2, headers)).toEqual(new Set([404, 429]));
  });

  it.each([
    ['X-Forwarded-For', inXForwardedFor],
    ['Forwarded', inForwarded],
  ])('behind nginx that sets X-Forwarded-For, in %s', async (_, headers) => {
    const { service } = await startTerse();
    proxy = await startNginx(folder.path, service.addresses.short, 'proxy_set_header X-Forwarded-For $remote_addr;');
    expect(await guess(BURST + 2, headers)).toEqual(new Set([404, 429]));
  });
});

async function listen(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Returns the settings of nginx and HAProxy that the guide recommends for URLs with a maximum length. */
function recommended(bytes: number): { nginx: string; haproxy: string } {
  const guide = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
  const row = new RegExp(`^\\| ${bytes.toLocaleString('en')} \\| \`([^\`]+)\` \\| (.+) \\|$`, 'm').exec(guide);
  const [, nginx = 'missing', haproxy = 'missing'] = row ?? [];
  return { nginx, haproxy: haproxy === 'no change' ? '' : haproxy.replaceAll('`', '') };
}

describe.each([URL_BYTES.standard, URL_BYTES.max])('a redirect to a URL of %i bytes', (bytes) => {
  const url = `https://example.com/?${'a'.repeat(bytes - 25)}&b=1`;

  async function startWithLink() {
    const { store, service, clock } = await startTerse({ TERSE_MAX_URL_BYTES: String(bytes) });
    await store.links.create(FIRST_ACCOUNT, link(['long'], { url: url.slice(0, -4), forwardQuery: true }), clock.now);
    return service.addresses;
  }

  it('works behind Caddy with our Caddyfile, also with a forwarded query', async () => {
    proxy = await startCaddy(folder.path, await startWithLink());
    expect(await locationOf(`${proxy.short}/long?b=1`)).toBe(url);
  });

  it('works behind nginx with the directives of the guide, also with a forwarded query', async () => {
    proxy = await startNginx(folder.path, (await startWithLink()).short, recommended(bytes).nginx);
    expect(await locationOf(`${proxy.short}/long?b=1`)).toBe(url);
  });

  it('works behind HAProxy with the settings of the guide, also with a forwarded query', async () => {
    proxy = await startHaproxy(folder.path, (await startWithLink()).short, recommended(bytes).haproxy);
    expect(await locationOf(`${proxy.short}/long?b=1`)).toBe(url);
  });
});

describe('a service with several domains', () => {
  it.each([
    ['Caddy with our Caddyfile', (short: string) => startCaddy(folder.path, { api: short, short })],
    [
      'nginx that passes on the host',
      (short: string) => startNginx(folder.path, short, 'proxy_set_header Host $host;'),
    ],
    ['HAProxy', (short: string) => startHaproxy(folder.path, short, '')],
  ])('redirects by the host behind %s', async (_, startProxy) => {
    const service = await startWithDomains();
    proxy = await startProxy(service.short);
    expect(await locationOf(`${proxy.short}/abc`)).toBe('https://example.com/1');
    expect(await locationOf(`${proxy.short.replace('127.0.0.1', 'localhost')}/abc`)).toBe('https://example.com/2');
  });

  it('opens no link behind nginx that does not pass on the host', async () => {
    proxy = await startNginx(folder.path, (await startWithDomains()).short, '');
    expect((await fetch(`${proxy.short}/abc`, { redirect: 'manual' })).status).toBe(421);
  });

  async function startWithDomains() {
    const { store, service, clock } = await startTerse({
      TERSE_SHORT_BASE_URL: 'https://sho.rt,http://127.0.0.1,http://localhost',
      // Without other settings, nginx sends the address of the service as the host.
      TERSE_SHORT_LISTEN: '127.0.0.3:0',
    });
    for (const [index, code] of ['abc', '//127.0.0.1/abc', '//localhost/abc'].entries()) {
      await store.links.create(FIRST_ACCOUNT, link([code], { url: `https://example.com/${index}` }), clock.now);
    }
    return service.addresses;
  }
});

describe('Caddy with our Caddyfile', () => {
  const SECRETS = ['127.0.0.2', 'secret-code', 'secret-key'];

  /** Sends a request from another loopback address, which the test can find in a log. */
  async function sendSecrets(address: string): Promise<string> {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' });
    socket.write(`GET /secret-code HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-API-Key: secret-key\r\n`);
    socket.write('Connection: close\r\n\r\n');
    return text(socket);
  }

  it('logs nothing of a request while the backend is unreachable', async () => {
    const { address, close } = await listen((_, response) => response.end());
    await close();
    proxy = await startCaddy(folder.path, { api: address, short: address });
    for (const host of [proxy.api, proxy.short]) expect(await sendSecrets(host)).toMatch(/^HTTP\/1.1 502 /);
    await proxy.stop();
    expect(proxy.log()).toContain('shutdown complete');
    for (const secret of SECRETS) expect(proxy.log()).not.toContain(secret);
  });

  it('logs nothing of a request whose response is interrupted', async () => {
    const { address, close } = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('x', () => response.destroy());
    });
    proxy = await startCaddy(folder.path, { api: address, short: address });
    for (const host of [proxy.api, proxy.short]) expect(await sendSecrets(host)).toMatch(/^HTTP\/1.1 200 /);
    await proxy.stop();
    await close();
    expect(proxy.log()).toContain('shutdown complete');
    for (const secret of SECRETS) expect(proxy.log()).not.toContain(secret);
  });
});

describe('Caddy that signs users in, as in docs/self-hosting.md', () => {
  const GUIDE = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
  const [, EXAMPLE = ''] = /^```caddy\n(.*?)^```$/ms.exec(GUIDE) ?? [];

  let signIn: Awaited<ReturnType<typeof listen>>;
  beforeEach(async () => {
    // Operators can exempt pages from the sign-in. The service then accepts the request, but names no user.
    signIn = await listen(({ headers }, response) => {
      if (headers.cookie === 'sso=ada') response.setHeader('Remote-User', 'Ada');
      if (headers.cookie === undefined) response.setHeader('Location', 'https://sso.example/');
      response.writeHead(headers.cookie === undefined ? 302 : 200).end();
    });
  });
  afterEach(() => signIn.close());

  /** Starts Caddy with the example. Returns a function that requests a path through it. */
  async function startExample(api: string) {
    const caddyfile = EXAMPLE.replace('links.example.com', '{$API_HOST}')
      .replace('terse:8787', '{$API_UPSTREAM}')
      .replace('authelia:9091', new URL(signIn.address).host);
    const started = await startCaddy(
      folder.path,
      { api, short: api },
      `${caddyfile}\n{$SHORT_HOST} {\n\trespond 204\n}\n`,
    );
    proxy = started;
    return (path: string, headers: Record<string, string>) =>
      fetch(started.api + path, { redirect: 'manual', headers });
  }

  it('sends the dashboard only the user name that the sign-in service returned', async () => {
    const { service, newKey } = await startTerse({ TERSE_AUTH_PROXY_HEADER: 'Remote-User' });
    await holder(terse as TestService);
    const open = await startExample(service.addresses.api);
    const forged = { 'Remote-User': 'Ada' };
    expect((await open('/links', { Cookie: 'sso=ada' })).status).toBe(200);
    expect((await open('/links', { Cookie: 'sso=ada', 'Remote-User': 'eve' })).status).toBe(200);
    expect((await open('/links', forged)).headers.get('location')).toBe('https://sso.example/');
    expect([303, 403]).toContain((await open('/links', { Cookie: 'sso=exempt', ...forged })).status);
    expect((await open('/api/v1/key', { Authorization: `Bearer ${await newKey()}` })).status).toBe(200);
  });

  it('deletes the user header that a client sends, on all paths', async () => {
    const echo = await listen(({ headers }, response) => response.end(headers['remote-user'] ?? 'none'));
    const open = await startExample(echo.address);
    for (const path of ['/api/v1/key', '/healthz', '/openapi.json']) {
      expect(await (await open(path, { 'Remote-User': 'Ada' })).text()).toBe('none');
    }
    await proxy?.stop();
    proxy = null;
    await echo.close();
  });
});
