import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { provideProgram } from './program.ts';
import { freePort } from './raw.ts';

/** A real proxy that runs as a separate process. */
export interface RunningProxy {
  api: string;
  short: string;
  log(): string;
  stop(): Promise<void>;
}

/** Addresses of the services behind the proxy, as `http://127.0.0.1:PORT`. */
export interface Upstreams {
  api: string;
  short: string;
}

const CADDYFILE = fileURLToPath(new URL('../../../deploy/Caddyfile', import.meta.url));

/**
 * Starts Caddy without TLS. To save time, Caddy does not retry an unreachable backend.
 *
 * @param caddyfile content of the Caddyfile, by default of deploy/Caddyfile
 */
export async function startCaddy(
  folder: string,
  upstreams: Upstreams,
  caddyfile = readFileSync(CADDYFILE, 'utf8'),
): Promise<RunningProxy> {
  const [api, short, admin] = [await freePort(), await freePort(), await freePort()];
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, caddyfile.replaceAll('lb_try_duration 10s', 'lb_try_duration 1ms'));
  const environment = {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    CADDY_ADMIN: `127.0.0.1:${admin}`,
    API_HOST: `http://127.0.0.1:${api}`,
    // Two addresses, as for a service with two short domains.
    SHORT_HOST: `http://127.0.0.1:${short}, http://localhost:${short}`,
    API_UPSTREAM: new URL(upstreams.api).host,
    SHORT_UPSTREAM: new URL(upstreams.short).host,
  };
  const child = start('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], environment);
  return ready(child, { api, short });
}

/**
 * Starts nginx in front of the short host.
 *
 * @param directives added to the location after `proxy_pass`
 */
export async function startNginx(folder: string, short: string, directives: string): Promise<RunningProxy> {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  mkdirSync(join(folder, 'nginx'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx;`,
  );
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
     http { access_log off; ${temporary.join(' ')}
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${short}; ${directives} } } }`,
  );
  return ready(start('nginx', ['-p', folder, '-c', file], {}), { api: port, short: port });
}

/**
 * Starts HAProxy in front of the short host.
 *
 * @param settings added to the section `global`
 */
export async function startHaproxy(folder: string, short: string, settings: string): Promise<RunningProxy> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
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
  return ready(start('haproxy', ['-f', file], {}), { api: port, short: port });
}

function start(program: string, args: string[], environment: Record<string, string>): ChildProcess {
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
