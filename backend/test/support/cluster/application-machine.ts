import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServeProcess, startServe } from '../process.ts';
import { provideProgram, watchdog } from '../program.ts';
import { type Network, readExample } from './example.ts';

/** Password of the database role `terse`. */
export const PASSWORD = 'terse-password';

export interface ApplicationMachine {
  host: string;
  /** Address of the database, through the machine's HAProxy. */
  database: string;
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
  const proxy = await startProxy(number, network, certificate, folder);
  const database = `postgres://terse:${PASSWORD}@${network.inside(number)}:5433/terse`;
  const processes = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      startServe(folder, {
        TERSE_LISTEN: `${network.machine(number)}:${8801 + at}`,
        TERSE_SHORT_LISTEN: `${network.machine(number)}:${8901 + at}`,
        TERSE_BASE_URL: 'https://links.example.com',
        TERSE_SHORT_BASE_URL: 'https://sho.rt',
        TERSE_DATABASE: database,
        TERSE_TRUSTED_PROXIES: '127.0.0.1',
      }),
    ),
  );
  return {
    host: network.inside(number),
    database,
    processes,
    isUp: proxy.isUp,
    async stop() {
      await Promise.all(processes.map(({ end }) => end('SIGKILL')));
      await proxy.stop();
    },
  };
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
  while (['db1', 'db2', 'db3'].filter((name) => isUp(`primary/${name}`)).length !== 1)
    await Promise.race([sleep(50), ended]);
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
