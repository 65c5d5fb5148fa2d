import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage } from './apt.ts';
import { unprivileged } from './postgres-server.ts';

export interface Pooler {
  /** The address of one of the server's databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Starts a real PgBouncer before a PostgreSQL server, which keeps no prepared statements, as before version 1.21. */
export async function startPgBouncer(server: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const binary = find() ?? installed();
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'terse-pooler-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const settings = join(folder, 'pgbouncer.ini');
  const host = new URL(server.replace('/postgres?', 'localhost/postgres?')).searchParams.get('host');
  const keepsNone = isFrom121(binary) ? 'max_prepared_statements = 0' : '';
  writeFileSync(
    settings,
    `[databases]
* = host=${host} user=terse
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout
${keepsNone}
`,
    { mode: 0o644 },
  );
  const child = spawn(binary, [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (line.includes('process up')) ready.resolve();
  });
  exited.then(() => ready.reject(new Error(`PgBouncer did not start:\n${lines.join('\n')}`)));
  await ready.promise;
  return {
    url: (database) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}&port=6432`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function isFrom121(binary: string): boolean {
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

function installed(): string {
  installPackage('pgbouncer', () => {});
  const binary = find();
  if (binary) return binary;
  throw new Error('This test needs PgBouncer. On Debian and Ubuntu: sudo apt-get install pgbouncer');
}

function find(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
    (path) => {
      try {
        accessSync(path);
        return true;
      } catch {
        return false;
      }
    },
  );
}
