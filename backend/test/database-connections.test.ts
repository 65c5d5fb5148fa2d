import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStore, type Store } from '../src/store/open-store.ts';
import { StoreUnavailable } from '../src/store/store-errors.ts';
import { newNetwork } from './support/cluster/machines.ts';
import { postgres } from './support/postgres.ts';
import { type PostgresServer, startPostgres, unprivileged } from './support/postgres-server.ts';
import { provideProgram, watchdog } from './support/program.ts';
import { PATIENT } from './support/program-changes.ts';
import { codesOf, link, makeKey, NOON, submission } from './support/store.ts';

const network = newNetwork();
const HOST = network.machine(21);
const OTHER_HOST = network.machine(22);

let folder: string;
let server: PostgresServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-tls-'));
  chmodSync(folder, 0o755);
  for (const authority of ['ours', 'theirs']) {
    openssl('req', '-x509', '-days', '30', '-subj', `/CN=${authority}`, ...newKey(authority), '-out', file(authority));
    certify(authority, `${authority}-server`);
  }
  present('ours-server');
  server = await startPostgres(() => {}, {
    listen_addresses: `${HOST},${OTHER_HOST}`,
    ssl: 'on',
    ssl_cert_file: file('server'),
    ssl_key_file: key('server'),
  });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const file = (name: string) => join(folder, `${name}.crt`);
const key = (name: string) => join(folder, `${name}.key`);
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
const newKey = (name: string) =>
  ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', key(name)] as const;

function certify(authority: string, name: string): void {
  const request = join(folder, 'request');
  openssl('req', '-subj', '/CN=database', ...newKey(name), '-out', request);
  const extensions = join(folder, 'extensions');
  writeFileSync(extensions, `subjectAltName=IP:${HOST}`);
  const by = ['-CA', file(authority), '-CAkey', key(authority), '-CAcreateserial', '-extfile', extensions];
  openssl('x509', '-req', '-days', '30', '-in', request, ...by, '-out', file(name));
}

function present(name: string): void {
  copyFileSync(file(name), file('server'));
  copyFileSync(key(name), key('server'));
  chmodSync(key('server'), 0o600);
  const user = unprivileged();
  if (user) chownSync(key('server'), user.uid, user.gid);
}

const url = (host: string, authority: string) =>
  `postgres://terse@${host}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(file(authority))}`;

const open = (host: string, authority: string): Promise<Store> =>
  openStore({ engine: 'postgres', url: url(host, authority), connections: 2, timeout: PATIENT }, NOON);

async function operate(...statements: string[]): Promise<void> {
  const operator = new Client({ connectionString: server.url('postgres') });
  await operator.connect();
  for (const statement of statements) await operator.query(statement);
  await operator.end();
}

it('the service uses only TLS connections, with the newest version of TLS', async () => {
  const store = await open(HOST, 'ours');
  expect(await store.keys.list()).toEqual([]);
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  const { rows } = await client.query(
    "SELECT DISTINCT version, bits FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'terse'",
  );
  expect(rows).toEqual([{ version: 'TLSv1.3', bits: 256 }]);
  await client.end();
  await store.close();
});

it.each([
  ['for another address', OTHER_HOST, 'ours', "Hostname/IP does not match certificate's altnames"],
  ['from an unknown authority', HOST, 'theirs', 'unable to '],
])('the store refuses a certificate %s', async (_, host, authority, reason) => {
  await expect(open(host, authority)).rejects.toThrow(`cannot be opened: ${reason}`);
});

it.each([
  ['is missing', 'N', 'The server does not support SSL connections'],
  ['fails', 'E', 'There was an error establishing an SSL connection'],
])('the store refuses a server whose TLS %s, and says so', async (_, reply, why) => {
  const plain = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(reply)));
  await once(plain.listen(0, HOST), 'listening');
  const host = `${HOST}:${(plain.address() as AddressInfo).port}`;
  await expect(open(host, 'ours')).rejects.toThrow(`The PostgreSQL database cannot be opened: ${why}.`);
  plain.close();
});

it('the service is unavailable while the database server has a wrong certificate, and recovers afterwards', async () => {
  // Without `deadlines`, the store uses the service's normal timeouts.
  const store = await openStore({ engine: 'postgres', url: url(HOST, 'ours'), connections: 2 }, NOON);
  const breakAll = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'terse'";
  /** Installs a certificate and waits until the server uses it for new connections. */
  const show = async (name: string) => {
    present(name);
    await operate('SELECT pg_reload_conf()', breakAll);
  };

  await show('theirs-server');
  await expect
    .poll(async () => {
      await operate(breakAll);
      const error: unknown = await store.keys.list().catch((error) => error);
      return error instanceof StoreUnavailable && error.cause;
    })
    .toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });

  await show('ours-server');
  await expect.poll(() => store.keys.list().catch(() => null)).toEqual([]);
  await store.close();
});

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
