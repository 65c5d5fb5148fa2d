import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { providePostgres } from './postgres-binaries.ts';

export interface PostgresServer {
  /** The address of one of its databases, over its unix socket. */
  url(database: string): string;
  /** Ends it as a crash does: every connection breaks, and what was not committed is gone. */
  crash(): Promise<void>;
  /** Stops all its processes where they are: connections are still accepted, and nothing is ever answered. */
  freeze(): void;
  /** Has them go on. */
  thaw(): void;
  /** Starts it again after a crash. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Like a server's own, but for what a small machine that runs other tests can do without. A commit is in the system's
 * hands, which survives a crash of the server; that of the machine no test can bring about.
 */
const SETTINGS = {
  listen_addresses: '',
  max_connections: '300',
  shared_buffers: '32MB',
  autovacuum: 'off',
  fsync: 'off',
};

/**
 * Starts a real PostgreSQL in a folder of its own, reachable over a unix socket alone. It ends with this process.
 *
 * @param changed settings that differ from those of the tests
 */
export async function startPostgres(
  log: (line: string) => void,
  changed: Record<string, string> = {},
): Promise<PostgresServer> {
  const bin = providePostgres(log);
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'terse-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, env: { PATH: bin, LC_ALL: 'C.UTF-8' }, ...user };
  const init = ['-D', data, '-U', 'terse', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'];
  execFileSync(join(bin, 'initdb'), init, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });

  const settings = Object.entries({ ...SETTINGS, ...changed, unix_socket_directories: folder });
  const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let server: ChildProcess;
  let watch: { end(): void };
  async function start(): Promise<void> {
    server = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    watch = watchdog(server, folder);
    await ready(server);
  }
  await start();

  return {
    url: (database) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}`,
    async crash() {
      watch.end();
      await ended(server, 'SIGQUIT');
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    start,
    async stop() {
      watch.end();
      await ended(server, 'SIGINT');
      rmSync(folder, { recursive: true });
    },
  };
}

/** Root may not run the server: `postgres` does where the system has it, else nobody in particular. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const id = (option: string) =>
      Number(execFileSync('id', [option, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

async function ready(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const exited = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
  });
  const started = new Promise<void>((resolve) => {
    if (!server.stderr) return;
    createInterface(server.stderr).on('line', (line) => {
      lines.push(line);
      if (line.includes('is ready to accept connections')) resolve();
    });
  });
  exited.catch(() => {});
  await Promise.race([started, exited]);
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

/** Signals the server and each process it has started for a connection or a task. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  const children = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
  process.kill(pid as number, signal);
  for (const child of children) signalOne(child, signal);
}

/** One of those processes may have ended since it was listed. */
function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Outlives this process, however it dies, and then ends the server: the pipe it reads from closes with us. */
function watchdog(server: ChildProcess, folder: string): { end(): void } {
  const script = 'cat >/dev/null; kill -INT "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"';
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(server.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Its whole group, `cat` included.
  return { end: () => process.kill(-(watch.pid as number)) };
}
