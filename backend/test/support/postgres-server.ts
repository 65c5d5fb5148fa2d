import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providePostgres } from './postgres-binaries.ts';
import { type PostgresProcess, runPostgres } from './postgres-process.ts';

export interface PostgresServer extends Omit<PostgresProcess, 'kill'> {
  /** Returns the address of one of the server's databases, over its unix socket. */
  url(database: string): string;
  start(): Promise<void>;
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
  const run = () => runPostgres(join(bin, 'postgres'), args, folder, { ...options, env });
  let server = await run();
  return {
    url: (database) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}`,
    crash: () => server.crash(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    async start() {
      server = await run();
    },
    async stop() {
      await server.stop();
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
