import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { providePostgres, TEST_SETTINGS, unprivileged } from '../postgres-server.ts';
import { type ServeProcess, startServe } from '../process.ts';
import { provideProgram, watchdog } from '../program.ts';

/**
 * Loopback addresses that replace the example's network. Each cluster has separate addresses. Only Linux supports
 * this.
 */
export interface Network {
  /** Returns the loopback address that replaces `10.0.0.<number>`. */
  machine(number: number): string;
  /** Returns the address that replaces `127.0.0.1` on a machine. */
  inside(number: number): string;
}

export function newNetwork(): Network {
  const base = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return { machine: (number) => `${base}.${number}`, inside: (number) => `${base}.${number + 100}` };
}

/** Ports that replace 80 and 443, which only root may open. */
export const PORTS = { http: 8080, https: 8443 };

/** Reads a file of deploy/cluster and replaces its addresses with those of one machine. */
function readExample(name: string, network: Network, number: number): string {
  const own = network.inside(number);
  return (
    readFileSync(new URL(`../../../../deploy/cluster/${name}`, import.meta.url), 'utf8')
      // All connections over the loopback device have the same address.
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replaceAll('127.0.0.1:', `${own}:`)
      .replaceAll('<address>', network.machine(number))
      .replaceAll(/10\.0\.0\.(\d+)/g, (_, machine) => network.machine(Number(machine)))
      .replaceAll(/bind :80$/gm, `bind ${own}:${PORTS.http}`)
      .replaceAll('bind :443 ', `bind ${own}:${PORTS.https} `)
  );
}

/** A machine of the cluster example with etcd, Patroni and PostgreSQL. */
export type DatabaseMachine = ReturnType<typeof newDatabaseMachine>;

/** @param name name in the lists of Patroni and HAProxy */
export function newDatabaseMachine(name: string, number: number, network: Network) {
  const bin = providePostgres(() => {});
  const [etcd, patroni] = [provideProgram('etcd', 'etcd-server'), provideProgram('patroni')];
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), `terse-${name}-`));
  const [data, stateOfEtcd, configFile] = ['data', 'etcd', 'patroni.yml'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  const watch = watchFolder(folder);
  const read = (file: string) => readExample(file, network, number).replaceAll('<name>', name);
  const settings = Object.entries({ ...TEST_SETTINGS, unix_socket_directories: folder });
  const config = read('patroni.yml')
    .replace('/var/lib/postgresql/15/main', data)
    .replace('/usr/lib/postgresql/15/bin', bin)
    .replace('/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass'))
    // In the test, the operating system user has another name than in the example.
    .replace('local all postgres peer', 'local all postgres trust')
    .replace('unix_socket_directories: /var/run/postgresql', () =>
      settings.map(([key, value]) => `${key}: '${value}'`).join('\n    '),
    );
  writeFileSync(configFile, config, { mode: 0o600 });
  if (user) for (const path of [folder, configFile]) chownSync(path, user.uid, user.gid);
  const environment = Object.fromEntries(
    [...read('etcd.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
  );
  function run(program: string, args: string[], more: NodeJS.ProcessEnv): void {
    const log = openSync(join(folder, 'log'), 'a');
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...more };
    spawn(program, args, { cwd: folder, env, stdio: ['ignore', log, log], ...user });
  }
  return {
    name,
    /** Address in the example's network. */
    host: network.machine(number),
    /** Starts etcd and Patroni, as systemd does when the machine boots. Does not wait for them. */
    start() {
      run(patroni, [configFile], {});
      run(etcd, [], { ...environment, ETCD_DATA_DIR: stateOfEtcd });
    },
    /** Kills all processes at once, as if the machine failed. */
    kill: () => killProcesses(folder),
    /** Suspends all processes. Connections to them are accepted but get no answers. */
    freeze: async () => signalProcesses(folder, 'SIGSTOP'),
    thaw: () => signalProcesses(folder, 'SIGCONT'),
    /** Deletes all data, as if a new machine replaced this one. etcd then joins the existing members. */
    replaceDisk() {
      for (const path of [data, stateOfEtcd]) rmSync(path, { recursive: true });
      environment.ETCD_INITIAL_CLUSTER_STATE = 'existing';
    },
    /** Runs a query as the administrator, on the machine itself. */
    async ask(question: string): Promise<unknown[]> {
      const client = new Client({ host: folder, user: 'postgres', database: 'postgres' });
      client.on('error', () => {});
      await client.connect();
      const result = client.query(question).finally(() => client.end());
      return (await result).rows;
    },
    /** Stops the machine in any state and deletes its files. */
    async remove() {
      watch.end();
      await killProcesses(folder);
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Sends a signal to all processes that work in a folder or below it. Each simulated machine has a folder, and each of
 * its programs has a folder below it.
 */
function signalProcesses(folder: string, signal: NodeJS.Signals): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
  }
}

/** Kills all processes of a folder at once, as if the machine failed, and waits until none is left. */
async function killProcesses(folder: string): Promise<void> {
  // The processes are suspended first, so that they start no new ones while the test kills the existing ones.
  for (const signal of ['SIGSTOP', 'SIGSTOP', 'SIGKILL'] as const) signalProcesses(folder, signal);
  while (processesIn(folder).length > 0) await sleep(20);
}

/** Kills the processes of a folder and deletes it as soon as the test process dies for any reason. */
function watchFolder(folder: string): { end(): void } {
  const script = `cat >/dev/null
for p in /proc/[0-9]*; do case "$(readlink "$p/cwd")" in "$1"*) kill -KILL "\${p#/proc/}" ;; esac; done
rm -rf "$1"`;
  const watch = spawn('/bin/sh', ['-c', script, 'sh', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Ends the whole process group, including `cat`.
  return { end: () => process.kill(-(watch.pid as number)) };
}

function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => workingFolder(pid).startsWith(folder)).map(Number);
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended or belongs to another user.
    return '';
  }
}

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

/** Creates a certificate and its key for both hosts of the example. */
export function makeCertificate(): string {
  const names = 'subjectAltName=DNS:sho.rt,DNS:links.example.com';
  const about = ['-subj', '/CN=sho.rt', '-addext', names, '-days', '2', '-newkey', 'ec', '-pkeyopt'];
  const output = ['ec_paramgen_curve:prime256v1', '-keyout', '-', '-out', '-'];
  return execFileSync('openssl', ['req', '-x509', '-nodes', ...about, ...output], { encoding: 'utf8', stdio: 'pipe' });
}

/**
 * Starts a machine with HAProxy and processes of the service.
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
  const start = (at: number) =>
    startServe(folder, {
      TERSE_LISTEN: `${network.machine(number)}:${8801 + at}`,
      TERSE_SHORT_LISTEN: `${network.machine(number)}:${8901 + at}`,
      TERSE_BASE_URL: 'https://links.example.com',
      TERSE_SHORT_BASE_URL: 'https://sho.rt',
      TERSE_DATABASE: database,
      TERSE_TRUSTED_PROXIES: '127.0.0.1',
    });
  const processes = await Promise.all(Array.from({ length: count }, (_, at) => start(at)));
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
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const isUp = (server: string) =>
    log.lastIndexOf(`Server ${server} is DOWN`) <= log.lastIndexOf(`Server ${server} is UP`);
  // Until the first health check, HAProxy considers all servers healthy.
  while (['db1', 'db2', 'db3'].filter((name) => isUp(`primary/${name}`)).length !== 1) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${log}`);
    await sleep(50);
  }
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
