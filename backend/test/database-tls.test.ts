import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/store/open-store.ts';
import { openStore } from '../src/store/open-store.ts';
import { StoreUnavailable } from '../src/store/store-errors.ts';
import { newNetwork } from './support/cluster/machines.ts';
import { type PostgresServer, startPostgres, unprivileged } from './support/postgres-server.ts';
import { PATIENT } from './support/program-changes.ts';
import { NOON } from './support/store.ts';

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

it('the store refuses a certificate for another address', async () => {
  await expect(open(OTHER_HOST, 'ours')).rejects.toThrow(
    /cannot be opened: Hostname\/IP does not match certificate's altnames/,
  );
});

it('the store refuses a certificate from an unknown authority', async () => {
  await expect(open(HOST, 'theirs')).rejects.toThrow(
    /cannot be opened: unable to (verify the first|get local issuer) certificate/,
  );
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
