import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { URL_BYTES } from '../../src/domain/links/link-rules.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { provideProgram } from '../support/program.ts';
import { freePort, locationOf } from '../support/raw.ts';
import { serviceForTest, type TestService } from '../support/service.ts';
import { link } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';
import { holder } from '../support/visitor.ts';

const CADDYFILE = readFileSync(new URL('../../../deploy/Caddyfile', import.meta.url), 'utf8');
const GUIDE = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
const BURST = 60;

/** A real proxy that runs as a separate process. */
interface RunningProxy {
  api: string;
  short: string;
  log(): string;
  stop(): Promise<void>;
}

/** Addresses of the services behind a proxy, as `http://127.0.0.1:PORT`. */
interface Upstreams {
  api: string;
  short: string;
}

const folder = folderForEach();
let proxy: RunningProxy | null;
beforeEach(() => {
  proxy = null;
});
afterEach(() => proxy?.stop());

/** Starts Caddy without TLS. To save time, Caddy does not retry an unreachable backend. */
async function startCaddy(upstreams: Upstreams, caddyfile = CADDYFILE): Promise<RunningProxy> {
  const [api, short, admin] = [await freePort(), await freePort(), await freePort()];
  writeFileSync(folder.file('Caddyfile'), caddyfile.replaceAll('lb_try_duration 10s', 'lb_try_duration 1ms'));
  const environment = {
    XDG_DATA_HOME: folder.path,
    XDG_CONFIG_HOME: folder.path,
    CADDY_ADMIN: `127.0.0.1:${admin}`,
    API_HOST: `http://127.0.0.1:${api}`,
    // Two addresses, as for a service with two short domains.
    SHORT_HOST: `http://127.0.0.1:${short}, http://localhost:${short}`,
    API_UPSTREAM: new URL(upstreams.api).host,
    SHORT_UPSTREAM: new URL(upstreams.short).host,
  };
  const args = ['run', '--config', folder.file('Caddyfile'), '--adapter', 'caddyfile'];
  return ready(spawnProxy('caddy', args, environment), { api, short });
}

/**
 * Starts nginx in front of the short host.
 *
 * @param directives added to the location after `proxy_pass`
 */
async function startNginx({ short }: Upstreams, directives: string): Promise<RunningProxy> {
  const port = await freePort();
  mkdirSync(folder.file('nginx'));
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    folder.file('nginx.conf'),
    `daemon off; master_process off; pid ${folder.path}/nginx.pid; error_log stderr; events {}
     http { access_log off; ${kinds.map((kind) => `${kind}_temp_path ${folder.path}/nginx;`).join(' ')}
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${short}; ${directives} } } }`,
  );
  return ready(spawnProxy('nginx', ['-p', folder.path, '-c', folder.file('nginx.conf')]), { api: port, short: port });
}

/**
 * Starts HAProxy in front of the short host.
 *
 * @param settings added to the section `global`
 */
async function startHaproxy({ short }: Upstreams, settings: string): Promise<RunningProxy> {
  const port = await freePort();
  writeFileSync(
    folder.file('haproxy.cfg'),
    `global
  ${settings}
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen short
  bind 127.0.0.1:${port}
  server terse ${new URL(short).host}
`,
  );
  return ready(spawnProxy('haproxy', ['-f', folder.file('haproxy.cfg')]), { api: port, short: port });
}

function spawnProxy(program: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env.PATH, ...environment };
  return spawn(provideProgram(program), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ready(child: ChildProcess, ports: { api: number; short: number }): Promise<RunningProxy> {
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += chunk));
  const ended = once(child, 'exit');
  const [api, short] = [`http://127.0.0.1:${ports.api}`, `http://127.0.0.1:${ports.short}`];
  const isUp = () => fetch(short, { redirect: 'manual' }).then(Boolean, () => false);
  await expect.poll(isUp).toBe(true);
  return {
    api,
    short,
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const startTerse = (environment: Record<string, string> = {}) =>
  serviceForTest({ TERSE_TRUSTED_PROXIES: '127.0.0.1', ...environment });

it.each([
  ['Caddy with our Caddyfile', startCaddy],
  [
    'nginx that sets X-Forwarded-For',
    (short: Upstreams) => startNginx(short, 'proxy_set_header X-Forwarded-For $remote_addr;'),
  ],
])('a client that sends a different address with each guess is limited behind %s', async (_, start) => {
  const { service, monotonic } = await startTerse();
  proxy = await start(service.addresses);
  for (const name of ['X-Forwarded-For', 'Forwarded']) {
    const statuses = new Set<number>();
    for (let at = 0; at < BURST + 2; at += 1) {
      const address = `203.0.113.${at}`;
      const headers = { [name]: name === 'Forwarded' ? `for=${address}` : address };
      statuses.add((await fetch(`${proxy.short}/guess${at}`, { headers })).status);
    }
    expect(statuses, name).toEqual(new Set([404, 429]));
    monotonic.now += 3_600_000;
  }
});

async function listen(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Returns the settings of nginx and HAProxy that the guide recommends for URLs with a maximum length. */
function recommended(bytes: number): { nginx: string; haproxy: string } {
  const row = new RegExp(`^\\| ${bytes.toLocaleString('en')} \\| \`([^\`]+)\` \\| (.+) \\|$`, 'm').exec(GUIDE);
  const [, nginx = 'missing', haproxy = 'missing'] = row ?? [];
  return { nginx, haproxy: haproxy === 'no change' ? '' : haproxy.replaceAll('`', '') };
}

describe.each([URL_BYTES.standard, URL_BYTES.max])('a redirect to a URL of %i bytes', (bytes) => {
  const url = `https://example.com/?${'a'.repeat(bytes - 25)}&b=1`;

  it.each([
    ['Caddy with our Caddyfile', startCaddy],
    ['nginx with the directives of the guide', (short: Upstreams) => startNginx(short, recommended(bytes).nginx)],
    ['HAProxy with the settings of the guide', (short: Upstreams) => startHaproxy(short, recommended(bytes).haproxy)],
  ])('works behind %s, also with a forwarded query', async (_, start) => {
    const { store, service, clock } = await startTerse({ TERSE_MAX_URL_BYTES: String(bytes) });
    await store.links.create(FIRST_ACCOUNT, link(['long'], { url: url.slice(0, -4), forwardQuery: true }), clock.now);
    proxy = await start(service.addresses);
    expect(await locationOf(`${proxy.short}/long?b=1`)).toBe(url);
  });
});

describe('a service with several domains', () => {
  async function startWithDomains(): Promise<Upstreams> {
    const { store, service, clock } = await startTerse({
      TERSE_SHORT_BASE_URL: 'https://sho.rt,http://127.0.0.1,http://localhost',
      // Without other settings, nginx sends the address of the service as the host.
      TERSE_SHORT_LISTEN: '127.0.0.3:0',
    });
    for (const [index, code] of ['abc', '//127.0.0.1/abc', '//localhost/abc'].entries()) {
      await store.links.create(FIRST_ACCOUNT, link([code], { url: `https://example.com/${index}` }), clock.now);
    }
    return { ...service.addresses, api: service.addresses.short };
  }

  it.each([
    ['Caddy with our Caddyfile', startCaddy],
    ['nginx that passes on the host', (short: Upstreams) => startNginx(short, 'proxy_set_header Host $host;')],
    ['HAProxy', (short: Upstreams) => startHaproxy(short, '')],
  ])('redirects by the host behind %s', async (_, start) => {
    proxy = await start(await startWithDomains());
    expect(await locationOf(`${proxy.short}/abc`)).toBe('https://example.com/1');
    expect(await locationOf(`${proxy.short.replace('127.0.0.1', 'localhost')}/abc`)).toBe('https://example.com/2');
  });

  it('opens no link behind nginx that does not pass on the host', async () => {
    proxy = await startNginx(await startWithDomains(), '');
    expect((await fetch(`${proxy.short}/abc`, { redirect: 'manual' })).status).toBe(421);
  });
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

  it.each([
    ['while the backend is unreachable', 502],
    ['whose response is interrupted', 200],
  ])('logs nothing of a request %s', async (_, status) => {
    const { address, close } = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('x', () => response.destroy());
    });
    if (status === 502) await close();
    proxy = await startCaddy({ api: address, short: address });
    for (const host of [proxy.api, proxy.short]) {
      expect(await sendSecrets(host)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
    await proxy.stop();
    if (status === 200) await close();
    expect(proxy.log()).toContain('shutdown complete');
    for (const secret of SECRETS) expect(proxy.log()).not.toContain(secret);
  });
});

describe('Caddy that signs users in, as in docs/self-hosting.md', () => {
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
    const started = await startCaddy({ api, short: api }, `${caddyfile}\n{$SHORT_HOST} {\n\trespond 204\n}\n`);
    proxy = started;
    return (path: string, headers: Record<string, string>) =>
      fetch(started.api + path, { redirect: 'manual', headers });
  }

  it('sends the dashboard only the user name that the sign-in service returned', async () => {
    const terse: TestService = await startTerse({ TERSE_AUTH_PROXY_HEADER: 'Remote-User' });
    await holder(terse);
    const open = await startExample(terse.service.addresses.api);
    const forged = { 'Remote-User': 'Ada' };
    expect((await open('/links', { Cookie: 'sso=ada' })).status).toBe(200);
    expect((await open('/links', { Cookie: 'sso=ada', 'Remote-User': 'eve' })).status).toBe(200);
    expect((await open('/links', forged)).headers.get('location')).toBe('https://sso.example/');
    expect([303, 403]).toContain((await open('/links', { Cookie: 'sso=exempt', ...forged })).status);
    expect((await open('/api/v1/key', { Authorization: `Bearer ${await terse.newKey()}` })).status).toBe(200);
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
