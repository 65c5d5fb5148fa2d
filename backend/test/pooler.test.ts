import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, it } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { postgres } from './support/postgres.ts';
import { unprivileged } from './support/postgres-server.ts';
import { provideProgram, watchdog } from './support/program.ts';
import { PATIENT } from './support/program-changes.ts';
import { codesOf, link, makeKey, NOON, submission } from './support/store.ts';

/** Starts a real PgBouncer in front of a PostgreSQL server. PgBouncer ends when the test process ends. */
async function startPgBouncer(server: string) {
  const program = provideProgram('pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'terse-pooler-'));
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const host = new URL(server.replace('/postgres?', 'localhost/postgres?')).searchParams.get('host');
  const file = join(folder, 'pgbouncer.ini');
  const settings = `[databases]
* = host=${host} user=terse
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout
`;
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
    url: (database: string) => `postgres://terse@/${database}?host=${encodeURIComponent(folder)}&port=6432`,
    async stop() {
      watch.end();
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

it('the service works with a pooler that gives each transaction another connection and loses statements', async () => {
  const database = await postgres.create();
  const pooler = await startPgBouncer(inject('postgres'));
  const store = await openStore(
    {
      engine: 'postgres',
      url: pooler.url(new URL(database.address.replace('@/', '@localhost/')).pathname.slice(1)),
      connections: 10,
      timeout: PATIENT,
    },
    NOON,
  );
  const key = await makeKey(store);
  const codes = Array.from({ length: 40 }, (_, at) => `code${at}`);
  const outcomes = await Promise.all(
    codes.map((code) => store.createRequests.submit(submission(key, { links: [link([code])] }))),
  );
  expect(outcomes.flatMap(codesOf)).toEqual(codes);
  expect(await Promise.all(codes.map((code) => store.links.resolve(code)))).not.toContain(null);
  await store.close();
  await pooler.stop();
  await database.drop();
});
