import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { providePostgres } from '../postgres-binaries.ts';
import { type PostgresProcess, runPostgres } from '../postgres-process.ts';
import { TEST_SETTINGS, unprivileged } from '../postgres-server.ts';
import { exampleFile, type Network, readExample } from './example.ts';

export const PASSWORDS = { terse: 'terse-password', replicator: 'replicator-password' };

/** A machine of the cluster example with PostgreSQL. Its settings are in a separate folder, as on Debian. */
export interface DatabaseMachine {
  /** Name in PostgreSQL's setting `synchronous_standby_names`. */
  name: string;
  /** Address in the example's network. */
  host: string;
  initialize(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  crash(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Runs a script of the example on this machine. */
  run(script: string, ...args: string[]): Promise<void>;
  ask<Row extends object>(question: string, database?: string): Promise<Row[]>;
  /** Address of the database without HAProxy. */
  url: string;
  /** Stops the machine in any state and deletes its files. */
  remove(): Promise<void>;
}

export function newDatabaseMachine(name: string, number: number, network: Network): DatabaseMachine {
  const bin = providePostgres(() => {});
  const user = unprivileged();
  const host = network.machine(number);
  const folder = mkdtempSync(join(tmpdir(), `terse-${name}-`));
  const data = join(folder, 'data');
  const settings = join(folder, 'etc');
  const config = join(settings, 'postgresql.conf');
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    PGDATA: data,
    PGCONFIG: config,
    PGHOST: folder,
    PGUSER: 'postgres',
    PGPASSFILE: join(settings, 'pgpass'),
    TERSE_PASSWORD: PASSWORDS.terse,
    REPLICATOR_PASSWORD: PASSWORDS.replicator,
  };
  const options = { cwd: folder, env: environment, ...user };
  let server: PostgresProcess | null = null;

  function write(name: string, text: string, mode: number): void {
    writeFileSync(join(settings, name), text, { mode });
    own(join(settings, name));
  }

  own(folder);
  mkdirSync(settings);
  own(settings);
  // In the test, the operating system user has another name than in the example.
  const access = readExample('pg_hba.conf', network, number).replace(/(local .*)peer/, '$1trust');
  write('pg_hba.conf', access, 0o600);
  write('terse.conf', readExample('postgresql.conf', network, number), 0o644);
  write('pgpass', `*:*:*:replicator:${PASSWORDS.replicator}\n`, 0o600);
  const paths = { data_directory: data, hba_file: join(settings, 'pg_hba.conf'), unix_socket_directories: folder };
  const lines = Object.entries({ ...TEST_SETTINGS, ...paths }).map(([name, value]) => `${name} = '${value}'`);
  write('postgresql.conf', `${lines.join('\n')}\ninclude 'terse.conf'\nlisten_addresses = '${host}'\n`, 0o644);

  async function ask<Row extends object>(question: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ host: folder, user: 'postgres', database });
    await client.connect();
    return client
      .query<Row>(question)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  const end = async (how: 'stop' | 'kill' | 'crash') => {
    const ending = server?.[how]();
    server = null;
    await ending;
  };
  const machine: DatabaseMachine = {
    name,
    host,
    url: `postgres://postgres@/terse?host=${encodeURIComponent(folder)}`,
    ask,
    async initialize() {
      const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'];
      execFileSync(join(bin, 'initdb'), init, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      await machine.start();
      const load = ['--no-psqlrc', '--quiet', '--file', exampleFile('database.sql'), 'postgres'];
      // The script must be repeatable, because an upgrade runs it again. The test therefore runs it twice.
      for (let times = 0; times < 2; times += 1) await promisify(execFile)(join(bin, 'psql'), load, options);
    },
    async start() {
      server = await runPostgres(join(bin, 'postgres'), ['-D', data, '-c', `config_file=${config}`], folder, options);
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    crash: () => end('crash'),
    freeze: () => server?.freeze(),
    thaw: () => server?.thaw(),
    async run(script, ...args) {
      await promisify(execFile)('/bin/sh', [exampleFile(script), ...args], options);
    },
    async remove() {
      await end('kill');
      rmSync(folder, { recursive: true });
    },
  };
  return machine;
}
