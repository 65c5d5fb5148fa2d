import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { providePgBouncer, runPgBouncer } from '../pgbouncer.ts';
import { type ServeProcess, startServe } from '../process.ts';
import { provideProgram } from '../program.ts';
import { watchdog } from '../watchdog.ts';
import { PASSWORDS } from './database-machine.ts';
import { type Network, readExample } from './example.ts';

export interface ApplicationMachine {
  host: string;
  processes: ServeProcess[];
  /** True if HAProxy considers a server healthy. `server` is the server's name in the example. */
  isUp(server: string): boolean;
  stop(): Promise<void>;
}

/** Creates a file with a certificate and its key for both hosts of the example. */
export function makeCertificate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'terse-certificate-'));
  const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')];
  const names = 'subjectAltName=DNS:sho.rt,DNS:links.example.com';
  const about = ['-subj', '/CN=sho.rt', '-addext', names, '-days', '2', '-newkey', 'ec', '-pkeyopt'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...about, 'ec_paramgen_curve:prime256v1', ...files], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const both = execFileSync('cat', [certificate, key], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return both;
}

/**
 * Starts the machine.
 *
 * @param count number of processes, at most two as in the example
 */
export async function startApplicationMachine(
  number: number,
  network: Network,
  certificate: string,
  count: number,
): Promise<ApplicationMachine> {
  const folder = mkdtempSync(join(tmpdir(), `terse-web-${number}-`));
  const pooler = await startPooler(number, network);
  const proxy = await startProxy(number, network, certificate, folder);
  const journals = mkdtempSync(join(tmpdir(), `terse-web-${number}-journals-`));
  const processes = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      startServe(folder, {
        TERSE_LISTEN: `${network.machine(number)}:${8801 + at}`,
        TERSE_SHORT_LISTEN: `${network.machine(number)}:${8901 + at}`,
        TERSE_BASE_URL: 'https://links.example.com',
        TERSE_SHORT_BASE_URL: 'https://sho.rt',
        TERSE_DATABASE: `postgres://terse:${PASSWORDS.terse}@${network.inside(number)}:6432/terse`,
        TERSE_JOURNAL_DIR: journals,
        TERSE_TRUSTED_PROXIES: '127.0.0.1',
      }),
    ),
  );
  return {
    host: network.inside(number),
    processes,
    isUp: proxy.isUp,
    async stop() {
      await Promise.all(processes.map(({ end }) => end('SIGKILL')));
      await Promise.all([proxy.stop(), pooler.stop()]);
      rmSync(journals, { recursive: true });
    },
  };
}

async function startPooler(number: number, network: Network) {
  const { program, keepsStatements } = providePgBouncer();
  const folder = mkdtempSync(join(tmpdir(), `terse-pooler-${number}-`));
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"terse" "${PASSWORDS.terse}"\n`, { mode: 0o644 });
  const settings = readExample('pgbouncer.ini', network, number).replace('/etc/pgbouncer/userlist.txt', users);
  return runPgBouncer(program, keepsStatements ? settings : forSessions(settings), folder);
}

/** Before version 1.21, PgBouncer needs session mode, as the guide explains. */
function forSessions(settings: string): string {
  return settings
    .replace(/^pool_mode.*$/m, 'pool_mode = session')
    .replace(/^default_pool_size.*$/m, 'default_pool_size = 50')
    .replace(/^max_prepared.*$/m, '');
}

async function startProxy(number: number, network: Network, certificate: string, folder: string) {
  const certificates = join(folder, 'certificates');
  mkdirSync(certificates);
  writeFileSync(join(certificates, 'both.pem'), certificate, { mode: 0o600 });
  const file = join(folder, 'haproxy.cfg');
  const example = readExample('haproxy.cfg', network, number).replace('/etc/haproxy/certs/', certificates);
  const isRoot = process.getuid?.() === 0;
  writeFileSync(file, isRoot ? example : example.replaceAll(/^\t(user|group|chroot) .*$/gm, ''));
  const child = spawn(provideProgram('haproxy'), ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const watch = watchdog(child, 'KILL', folder);
  const exited = once(child, 'exit');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  }
  const isUp = (server: string) =>
    log.lastIndexOf(`Server ${server} is DOWN`) <= log.lastIndexOf(`Server ${server} is UP`);
  const ended = exited.then(() => {
    throw new Error(`HAProxy ended:\n${log}`);
  });
  ended.catch(() => {});
  // Until the first health check, HAProxy considers all servers healthy.
  while (isUp('primary/db2')) await Promise.race([sleep(50), ended]);
  return {
    isUp,
    async stop() {
      watch.end();
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
