import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { examplesOf } from './support/guide.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** The shell blocks of a section of a guide, up to the next heading. */
function commandsOf(guide: string, heading: string): string[] {
  const text = readFileSync(join(REPOSITORY, 'docs', guide), 'utf8');
  const [, section = ''] = text.split(new RegExp(`^## ${heading}$`, 'm'));
  return examplesOf(section.split(/^## /m)[0] ?? '').map(({ command }) => command);
}

/** The first block under "With systemd" brings the program; what follows there is for one process on SQLite. */
const [BRING_PROGRAM = ''] = commandsOf('self-hosting.md', 'With systemd');

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'terse-guide-'));
  for (const folder of ['bin', 'etc/haproxy', 'etc/pgbouncer', 'etc/systemd/system']) {
    mkdirSync(join(machine, folder), { recursive: true });
  }
  // Of the machine, all but what these commands write down is left out; systemctl notes what it is asked for.
  for (const program of ['apt-get', 'git', 'journalctl', 'npm', 'sudo', 'systemctl', 'useradd']) {
    const path = join(machine, 'bin', program);
    writeFileSync(path, `#!/bin/sh\necho "$(basename "$0") $*" >> ${machine}/calls\n`);
    chmodSync(path, 0o755);
  }
});
afterEach(() => rmSync(machine, { recursive: true }));

/** Runs blocks of a guide word for word, on a machine whose files are in a folder. */
function follow(blocks: string[]): void {
  for (const block of blocks) {
    const command = block
      .replaceAll('/etc/', `${machine}/etc/`)
      .replaceAll('/opt/terse', REPOSITORY)
      .replaceAll(/ -[og] \w+/g, '')
      .replaceAll('<this repository>', 'repository');
    const env = { PATH: `${join(machine, 'bin')}:${process.env.PATH}` };
    execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: REPOSITORY,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

const read = (path: string) => readFileSync(join(machine, path), 'utf8');
const enabled = () =>
  [...read('calls').matchAll(/^systemctl enable --now (.+)$/gm)].flatMap(([, units = '']) => units.split(' '));

/** What systemd hands to `terse@1`: the settings of its unit, and over them those of the file it names. */
function settingsOfFirst() {
  const unit = read('etc/systemd/system/terse@.service');
  expect(unit).toContain('EnvironmentFile=/etc/terse.env');
  const own = [...read('etc/systemd/system/terse@.service.d/ports.conf').matchAll(/^Environment=(.+)$/gm)];
  const all = [...own.map(([, line = '']) => line.replaceAll('%i', '1')), ...read('etc/terse.env').split('\n')];
  const pairs = all.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  return readConfig(Object.fromEntries(pairs));
}

it('brings one process on SQLite by the steps for systemd', () => {
  follow(commandsOf('self-hosting.md', 'With systemd').slice(0, 2));
  expect(enabled()).toEqual(['terse']);
});

it('brings several processes on one machine to PostgreSQL, and none on SQLite', () => {
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

it('brings each of several machines to PgBouncer, and none to SQLite', () => {
  const blocks = commandsOf('scaling.md', 'Several machines').filter((block) =>
    block.includes('apt-get install haproxy'),
  );
  expect(blocks).toHaveLength(1);
  follow([BRING_PROGRAM, ...blocks]);
  expect(enabled()).toEqual(['terse@1', 'terse@2']);
  expect(settingsOfFirst()).toMatchObject({
    database: { engine: 'postgres', url: 'postgres://terse:PASSWORD1@127.0.0.1:6432/terse' },
    listen: { host: '10.0.0.11', port: 8801 },
  });
  expect(read('etc/pgbouncer/userlist.txt')).toBe('"terse" "PASSWORD1"\n');
});
