import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config/environment.ts';
import { examplesOf } from './support/guide.ts';
import { makeDatabase } from './support/process.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

function commandsOf(guide: string, heading: string): string[] {
  const text = readFileSync(join(REPOSITORY, 'docs', guide), 'utf8');
  const [, level = '', rest = ''] = text.split(new RegExp(`^(#+) ${heading}$`, 'm'));
  const [section = ''] = rest.split(new RegExp(`^#{2,${level.length}} `, 'm'));
  return examplesOf(section).map(({ command }) => command);
}

/** The first block under "With systemd" installs the program. The other blocks set up one process with SQLite. */
const [BRING_PROGRAM = ''] = commandsOf('self-hosting.md', 'With systemd');

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'terse-guide-'));
  for (const folder of ['bin', 'etc/default', 'etc/haproxy', 'etc/patroni', 'etc/systemd/system']) {
    mkdirSync(join(machine, folder), { recursive: true });
  }
  // Stubs replace the commands that change the machine. They do nothing, except that they create the expected files.
  // The systemctl stub records its arguments.
  for (const program of [
    'apt-get',
    'git',
    'journalctl',
    'npm',
    'patronictl',
    'pg_dropcluster',
    'rm',
    'sudo',
    'systemctl',
    'useradd',
  ]) {
    install(program, `echo "$(basename "$0") $*" >> ${machine}/calls`);
  }
});

function install(program: string, script: string): void {
  const path = join(machine, 'bin', program);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

afterEach(() => rmSync(machine, { recursive: true }));

/** Runs shell blocks of a guide without changes. A temporary folder replaces the file system. */
function follow(blocks: string[], cwd = REPOSITORY): void {
  for (const block of blocks) {
    const command = block
      .replaceAll('/etc/', `${machine}/etc/`)
      .replaceAll('/opt/terse', REPOSITORY)
      .replaceAll(/ -[og] \w+/g, '')
      .replaceAll('<this repository>', 'repository');
    const env = { PATH: `${join(machine, 'bin')}:${process.env.PATH}` };
    execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

const read = (path: string) => readFileSync(join(machine, path), 'utf8');
const enabled = () =>
  [...read('calls').matchAll(/^systemctl enable --now (.+)$/gm)].flatMap(([, units = '']) => units.split(' '));

/**
 * Returns the environment variables of the `terse@1` unit. Values in the environment file override those in the unit.
 */
function settingsOfFirst() {
  const unit = read('etc/systemd/system/terse@.service');
  expect(unit).toContain('EnvironmentFile=/etc/terse.env');
  const own = [...read('etc/systemd/system/terse@.service.d/ports.conf').matchAll(/^Environment=(.+)$/gm)];
  const all = [...own.map(([, line = '']) => line.replaceAll('%i', '1')), ...read('etc/terse.env').split('\n')];
  const pairs = all.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  return readConfig(Object.fromEntries(pairs));
}

it('the guide installs one process with SQLite by its steps for systemd', () => {
  follow(commandsOf('self-hosting.md', 'With systemd').slice(0, 2));
  expect(enabled()).toEqual(['terse']);
});

it('the guide runs commands in the folder of the service with the installed Node', async () => {
  const [calls, data, program] = ['calls', 'var/lib/terse', 'opt/terse'].map((path) => join(machine, path)) as [
    string,
    string,
    string,
  ];
  mkdirSync(program, { recursive: true });
  // Prepares the program's folder as `npm ci --omit=dev` would.
  symlinkSync(join(REPOSITORY, 'backend'), join(program, 'backend'));
  install('node', `pwd >> ${calls}; exec ${process.execPath} "$@"`);
  install('sudo', 'shift 2; exec "$@"');
  const inMachine = (text: string) =>
    text.replaceAll('/etc/', `${machine}/etc/`).replaceAll('/var/lib/terse', data).replaceAll('/opt/terse', program);
  writeFileSync(join(machine, 'etc/terse.env'), inMachine(readFileSync(join(REPOSITORY, 'deploy/terse.env'), 'utf8')));
  await makeDatabase(data, 'terse.db');

  const guide = readFileSync(join(REPOSITORY, 'docs', 'self-hosting.md'), 'utf8');
  const printed = examplesOf(guide).flatMap(({ command }) => /sudo -u terse sh -c '[^']+'/.exec(command)?.[0] ?? []);
  const [list = '', ...others] = printed;
  expect(others).toEqual([]);
  const env = { PATH: `${join(machine, 'bin')}:/usr/bin:/bin` };
  const stdout = execFileSync('bash', ['-euc', inMachine(list)], { env, encoding: 'utf8', stdio: 'pipe' });
  expect(stdout).toMatch(/^ID +KEY +NAME/);
  expect(read('calls')).toBe(`${data}\n`);
});

it('the guide moves all processes of one machine to PostgreSQL', () => {
  follow([BRING_PROGRAM, ...commandsOf('scaling.md', 'Several processes on one machine')]);
  expect(enabled()).toEqual(['terse@1', 'terse@2']);
  expect(settingsOfFirst()).toMatchObject({
    database: { engine: 'postgres', url: 'postgres://terse:PASSWORD@127.0.0.1/terse' },
    listen: { host: '127.0.0.1', port: 8801 },
    shortListen: { host: '127.0.0.1', port: 8901 },
  });
  const servers = [...read('etc/haproxy/haproxy.cfg').matchAll(/^\tserver \S+ (\S+)/gm)].map(([, address]) => address);
  expect(servers).toEqual(['127.0.0.1:8801', '127.0.0.1:8802', '127.0.0.1:8901', '127.0.0.1:8902']);
});

it('the guide connects the processes of all machines to the primary through HAProxy', () => {
  const blocks = commandsOf('scaling.md', 'Several machines').filter((block) =>
    block.includes('apt-get install haproxy'),
  );
  expect(blocks).toHaveLength(1);
  follow([BRING_PROGRAM, ...blocks]);
  expect(enabled()).toEqual(['terse@1', 'terse@2']);
  expect(settingsOfFirst()).toMatchObject({
    database: { engine: 'postgres', url: 'postgres://terse:PASSWORD1@127.0.0.1:5433/terse' },
    listen: { host: '10.0.0.11', port: 8801 },
  });
  const proxy = read('etc/haproxy/haproxy.cfg');
  expect(proxy).toContain('\tbind 127.0.0.1:5433\n');
  const [, primary = ''] = proxy.split('\nbackend primary\n');
  const addresses = [...primary.matchAll(/^\tserver \S+ ([\d.]+):5432$/gm)].map(([, address]) => address);
  expect(addresses).toEqual(['10.0.0.21', '10.0.0.22', '10.0.0.23']);
});

it('the guide gives each database machine its name and its address', () => {
  const blocks = commandsOf('scaling.md', 'Several machines').filter((block) => block.includes('patroni'));
  expect(blocks).toHaveLength(1);
  const [block = ''] = blocks;
  follow([block.replace('name=db1 address=10.0.0.21', 'name=db2 address=10.0.0.22')]);
  const patroni = parse(read('etc/patroni/config.yml'));
  expect(patroni).toMatchObject({
    name: 'db2',
    restapi: { connect_address: '10.0.0.22:8008', allowlist_include_members: true },
    postgresql: { connect_address: '10.0.0.22:5432' },
    bootstrap: { dcs: { synchronous_mode: true, synchronous_mode_strict: true } },
  });
  expect(read('etc/default/etcd')).toContain('\nETCD_NAME=db2\nETCD_LISTEN_PEER_URLS=http://10.0.0.22:2380\n');
  for (const file of ['etc/patroni/config.yml', 'etc/default/etcd']) expect(read(file)).not.toMatch(/^[^#]*<\w+>/m);
});
