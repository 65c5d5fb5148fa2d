import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { ERROR_STATUS } from '@terse/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config/environment.ts';
import { awayFromMidnight } from './support/clock.ts';
import { compareAnswer, examplesOf } from './support/guide.ts';
import { makeDatabase, type ServeProcess } from './support/process.ts';
import { installPackage } from './support/program.ts';
import { serviceForFile } from './support/service.ts';
import { folderForFile } from './support/test-folder.ts';

const GUIDE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(GUIDE);

const folder = folderForFile();
let serving: ServeProcess;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  provideCurl();
  await awayFromMidnight();
  serving = await folder.serve({
    TERSE_BASE_URL: 'https://terse.example',
    TERSE_SHORT_BASE_URL: 'https://t.example',
  });
  const quick = ['--throttle', '1000', '--quota', '1000'];
  const { stdout } = await folder.run(['keys', 'create', '--name', 'laptop', ...quick]);
  environment = { ...process.env, TERSE: serving.addresses.api, KEY: stdout.trim() };
}, 10 * 60_000);

/** The examples use curl, which minimal systems lack. */
function provideCurl(): void {
  const isThere = () => spawnSync('curl', ['--version']).status === 0;
  if (!isThere()) installPackage('curl', (line) => process.stderr.write(`${line}\n`));
  if (!isThere()) throw new Error('The examples of docs/api.md need curl. Install it (sudo apt-get install curl).');
}

describe('docs/api.md', () => {
  it('has a response under every command', () => {
    expect(EXAMPLES.length).toBeGreaterThan(5);
    for (const { command, form } of EXAMPLES) expect(['json', 'http'], command).toContain(form);
  });

  // The examples run in order, because later examples use the links of earlier ones.
  it.each(EXAMPLES.map((example) => [example.command, example] as const))(
    'shows the actual response to %s',
    async (_, example) => {
      const options = { cwd: folder.path, env: environment };
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', example.command], options);
      compareAnswer(example, stdout);
    },
  );

  it('lists every error with its status', () => {
    const rows = [...GUIDE.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| [^|]+ \|$/gm)];
    expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(ERROR_STATUS));
  });
});

const PHONE_GUIDE = readFileSync(new URL('../../docs/phone.md', import.meta.url), 'utf8');

/** Returns the requests and scripts of a section of the guide. */
function recipeOf(heading: string): { requests: string[]; scripts: string[] } {
  const [, rest = ''] = PHONE_GUIDE.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const blocks = (form: string) =>
    [...section.matchAll(new RegExp(`^\`\`\`${form}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
  return { requests: blocks('http'), scripts: blocks('js') };
}

const terse = serviceForFile();
let key: string;
beforeAll(async () => {
  key = await terse.newKey({ throttle: 1000, quota: 1000, scopes: ['create'] });
});

/** Sends a request of the guide as it is printed, with a URL instead of the placeholder. */
async function send(request: string, placeholder: string, url: string): Promise<string> {
  const [head = '', body = ''] = request.trim().split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method, address = ''] = line.split(' ');
  expect([method, new URL(address).host]).toEqual(['POST', 'links.example.com']);
  expect(body).toContain(placeholder);
  const fields = headers.map((header) => header.split(': ') as [string, string]);
  const answer = await terse.ask(new URL(address).pathname, {
    method: 'POST',
    // Shortcuts of iOS adds the content type of the chosen body.
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries(fields), Authorization: `Bearer ${key}` },
    body: body.replace(placeholder, url),
  });
  expect(Object.fromEntries(fields).Authorization).toBe('Bearer YOUR_KEY');
  expect([200, 201]).toContain(answer.status);
  return answer.text();
}

const targetOf = async (shortUrl: unknown) => (await terse.visit(String(shortUrl))).headers.get('location');

describe('docs/phone.md', () => {
  it('has a working request for Shortcuts on iPhone and iPad', async () => {
    const { requests } = recipeOf('iPhone and iPad: Shortcuts');
    expect(requests).toHaveLength(1);
    const body = await send(requests[0] ?? '', 'SHARED_URL', 'https://example.com/otters?a=b');
    expect(await targetOf((JSON.parse(body) as { shortUrl: string }).shortUrl)).toBe('https://example.com/otters?a=b');
  });

  it.each([
    'https://example.com/a?b=c',
    'Look at this: https://example.com/a?b=c',
    'A title\nhttps://example.com/a?b=c "x"',
  ])('has scripts and a request for HTTP Shortcuts that work with %j', async (shared) => {
    const { requests, scripts } = recipeOf('Android: HTTP Shortcuts');
    expect([requests.length, scripts.length]).toEqual([1, 2]);
    const [variables, clipboard]: [Record<string, string>, string[]] = [{ shared }, []];
    const app = {
      getVariable: (name: string) => variables[name],
      setVariable: (name: string, value: string) => {
        variables[name] = value;
      },
      copyToClipboard: (text: string) => clipboard.push(text),
    };
    runInNewContext(scripts[0] ?? '', app);
    const body = await send(requests[0] ?? '', '{{url}}', variables.url ?? '');
    runInNewContext(scripts[1] ?? '', { ...app, response: { body } });
    expect(clipboard).toHaveLength(1);
    expect(await targetOf(clipboard[0])).toBe('https://example.com/a?b=c');
  });
});

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
