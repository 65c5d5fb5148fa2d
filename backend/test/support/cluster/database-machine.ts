import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { providePostgres, TEST_SETTINGS, unprivileged } from '../postgres-server.ts';
import { provideProgram } from '../program.ts';
import { type Network, readExample } from './example.ts';

/** A machine of the cluster example with etcd, Patroni and PostgreSQL. */
export interface DatabaseMachine {
  /** Name in the lists of Patroni and HAProxy. */
  name: string;
  /** Address in the example's network. */
  host: string;
  /** Starts etcd and Patroni, as systemd does when the machine boots. Does not wait for them. */
  start(): void;
  /** Kills all processes at once, as if the machine failed. */
  kill(): Promise<void>;
  /** Suspends all processes. Connections to them are accepted but get no answers. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Deletes all data, as if a new machine replaced this one. etcd then joins the existing members. */
  replaceDisk(): void;
  /** Runs a query as the administrator, on the machine itself. */
  ask<Row extends object>(question: string): Promise<Row[]>;
  /** Stops the machine in any state and deletes its files. */
  remove(): Promise<void>;
}

export function newDatabaseMachine(name: string, number: number, network: Network): DatabaseMachine {
  const bin = providePostgres(() => {});
  const etcd = provideProgram('etcd', 'etcd-server');
  const patroni = provideProgram('patroni');
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), `terse-${name}-`));
  const data = join(folder, 'data');
  const stateOfEtcd = join(folder, 'etcd');
  const watch = watchFolder(folder);
  const read = (file: string) => readExample(file, network, number).replaceAll('<name>', name);
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);

  const settings = { ...TEST_SETTINGS, unix_socket_directories: folder };
  const config = read('patroni.yml')
    .replace('/var/lib/postgresql/15/main', data)
    .replace('/usr/lib/postgresql/15/bin', bin)
    .replace('/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass'))
    // In the test, the operating system user has another name than in the example.
    .replace('local all postgres peer', 'local all postgres trust')
    .replace('unix_socket_directories: /var/run/postgresql', () =>
      Object.entries(settings)
        .map(([key, value]) => `${key}: '${value}'`)
        .join('\n    '),
    );
  const configFile = join(folder, 'patroni.yml');
  writeFileSync(configFile, config, { mode: 0o600 });
  for (const path of [folder, configFile]) own(path);

  const environment = Object.fromEntries(
    [...read('etcd.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
  );
  function run(program: string, args: string[], env: NodeJS.ProcessEnv): void {
    const log = openSync(join(folder, 'log'), 'a');
    const base = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
    spawn(program, args, { cwd: folder, env: { ...base, ...env }, stdio: ['ignore', log, log], ...user });
  }

  return {
    name,
    host: network.machine(number),
    start() {
      run(patroni, [configFile], {});
      run(etcd, [], { ...environment, ETCD_DATA_DIR: stateOfEtcd });
    },
    kill: () => killProcesses(folder),
    async freeze() {
      signalProcesses(folder, 'SIGSTOP');
    },
    thaw: () => signalProcesses(folder, 'SIGCONT'),
    replaceDisk() {
      for (const path of [data, stateOfEtcd]) rmSync(path, { recursive: true });
      environment.ETCD_INITIAL_CLUSTER_STATE = 'existing';
    },
    async ask<Row extends object>(question: string): Promise<Row[]> {
      const client = new Client({ host: folder, user: 'postgres', database: 'postgres' });
      client.on('error', () => {});
      await client.connect();
      return client
        .query<Row>(question)
        .then(({ rows }) => rows)
        .finally(() => client.end());
    },
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
