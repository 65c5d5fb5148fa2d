import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unprivileged } from './postgres-server.ts';
import { provideProgram, watchdog } from './program.ts';

export interface Pooler {
  url(database: string): string;
  stop(): Promise<void>;
}

/** Starts a real PgBouncer in front of a PostgreSQL server. Each transaction can run on another server connection. */
export async function startPgBouncer(server: string): Promise<Pooler> {
  const program = provideProgram('pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'terse-pooler-'));
  const host = new URL(server.replace('/postgres?', 'localhost/postgres?')).searchParams.get('host');
  const settings = `[databases]
* = host=${host} user=terse
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout
`;
  const { stop } = await runPgBouncer(program, settings, folder);
  return { url: (database) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}&port=6432`, stop };
}

/** Runs PgBouncer in a temporary folder. PgBouncer ends when the test process ends. */
async function runPgBouncer(program: string, settings: string, folder: string): Promise<{ stop(): Promise<void> }> {
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings, { mode: 0o644 });
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const watch = watchdog(child, 'KILL', folder);
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
    async stop() {
      watch.end();
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
