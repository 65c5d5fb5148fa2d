import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage, isExecutable, watchdog } from './program.ts';

export interface PostgresServer {
  /** Returns the address of one of the server's databases, over its unix socket. */
  url(database: string): string;
  start(): Promise<void>;
  /** Simulates a crash: all connections break and uncommitted data is lost. */
  crash(): Promise<void>;
  /** Suspends all processes of the server. A suspended server accepts connections and never responds. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Settings of a normal server, reduced for a small machine that runs other tests at the same time. A commit does not
 * wait for the disk, but survives a crash of the server.
 */
export const TEST_SETTINGS = {
  max_connections: '300',
  shared_buffers: '32MB',
  autovacuum: 'off',
  fsync: 'off',
};

/**
 * Starts a real PostgreSQL server in a temporary folder, reachable only over a unix socket. The server ends when the
 * test process ends.
 *
 * @param changed settings that differ from those of the tests
 * @param environment additional environment variables of the server, such as those of another clock
 */
export async function startPostgres(
  log: (line: string) => void,
  changed: Record<string, string> = {},
  environment: Record<string, string> = {},
): Promise<PostgresServer> {
  const bin = providePostgres(log);
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'terse-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, env: { PATH: bin, LC_ALL: 'C.UTF-8' }, ...user };
  const init = ['-D', data, '-U', 'terse', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'];
  execFileSync(join(bin, 'initdb'), init, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });

  const all = { ...TEST_SETTINGS, listen_addresses: '', ...changed, unix_socket_directories: folder };
  const settings = Object.entries(all);
  const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const env = { ...options.env, ...environment };
  let server: ChildProcess;
  let watch: ReturnType<typeof watchdog>;
  const start = async () => {
    server = spawn(join(bin, 'postgres'), args, { ...options, env, stdio: ['ignore', 'ignore', 'pipe'] });
    // If the test process dies first, the watchdog deletes the folder.
    watch = watchdog(server, 'INT', folder);
    await ready(server);
  };
  const end = async (signal: NodeJS.Signals) => {
    watch.end();
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  await start();
  return {
    url: (database) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}`,
    start,
    crash: () => end('SIGQUIT'),
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Returns the user for the server process, because PostgreSQL does not run as root: `postgres` if that user exists,
 * otherwise an unprivileged id.
 */
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

/**
 * Returns the folder with PostgreSQL's programs: TERSE_POSTGRES_BIN, the folder of a package, or the one in PATH. As
 * root on Debian or Ubuntu, installs the package if it is missing.
 *
 * @throws if PostgreSQL is missing and cannot be installed, so that no test is skipped silently
 */
export function providePostgres(log: (line: string) => void): string {
  const found = findPostgres();
  if (found) return found;
  if (process.env.TERSE_POSTGRES_BIN) {
    throw new Error(`TERSE_POSTGRES_BIN is ${process.env.TERSE_POSTGRES_BIN}, but initdb and postgres are not there.`);
  }
  installPackage('postgresql', log);
  const installed = findPostgres();
  if (installed) return installed;
  const advice = process.platform === 'darwin' ? 'brew install postgresql@17' : 'sudo apt-get install postgresql';
  throw new Error(
    `The tests need PostgreSQL's programs, initdb and postgres, and they are nowhere to be found. Install them (${advice}), or set TERSE_POSTGRES_BIN to their folder.`,
  );
}

/** Looks in the packages of Debian, newest version first, in those of Homebrew, and in PATH. */
function findPostgres(): string | undefined {
  const { TERSE_POSTGRES_BIN: given, PATH = '' } = process.env;
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((one, other) => majorOf(other) - majorOf(one));
  const homebrew = globSync('/{opt/homebrew,usr/local}/opt/postgresql*/bin');
  const folders = given ? [given] : [...versions, ...homebrew, ...PATH.split(delimiter)];
  return folders.find((folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')));
}

const majorOf = (path: string) => Number(/postgresql\/(\d+)/.exec(path)?.[1]);

/** Waits until the server accepts connections. */
async function ready(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const exited = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
  });
  const started = new Promise<void>((resolve) => {
    if (!server.stderr) return;
    createInterface(server.stderr).on('line', (line) => {
      lines.push(line);
      if (line.includes('is ready to accept')) resolve();
    });
  });
  exited.catch(() => {});
  await Promise.race([started, exited]);
}

/** Signals the server and its child processes, which may have ended since they were listed. */
function signalAll(server: ChildProcess, signal: NodeJS.Signals): void {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  server.kill(signal);
  for (const [child = 0, parent] of pairs) {
    if (parent !== server.pid) continue;
    try {
      process.kill(child, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
