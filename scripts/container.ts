// Builds the container image, starts compose.yaml and runs the commands from docs/self-hosting.md: first start,
// backup, upgrade, restore, move to PostgreSQL, and stop. Needs a Docker engine with Compose, and takes a few
// minutes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const GUIDE = readFileSync('docs/self-hosting.md', 'utf8');
const PASSWORD = 'letters1and2digits';
const ON_POSTGRES = {
  COMPOSE_PROFILES: 'postgres',
  POSTGRES_PASSWORD: PASSWORD,
  TERSE_DATABASE: `postgres://terse:${PASSWORD}@postgres/terse`,
};

/** Local port on which Caddy listens. */
const PORT = 8443;
/** Compose settings that publish ports only on the loopback interface. */
const OVERRIDE = `services:
  caddy:
    ports: !override
      - 127.0.0.1:${PORT}:443
`;

const folder = mkdtempSync(join(tmpdir(), 'terse-container-'));
const override = join(folder, 'override.yaml');
writeFileSync(override, OVERRIDE);
/** Environment of a separate Compose project, which does not interfere with other containers on this machine. */
const environment: Record<string, string | undefined> = {
  ...process.env,
  COMPOSE_FILE: `${resolve('compose.yaml')}:${override}`,
  COMPOSE_PROJECT_NAME: 'terse-check',
  API_HOST: 'links.localhost',
  SHORT_HOST: 'short.localhost',
};
const options = { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' } as const;

/** Runs `docker compose` and returns its output. */
const compose = (...args: string[]) => execFileSync('docker', ['compose', ...args], options);

/** Runs commands from the guide unchanged. */
const sh = (commands: string) => void execFileSync('sh', ['-ec', commands], options);

/** Starts what is not running, and waits until the services are healthy. */
const healthy = () => compose('up', '--detach', '--no-build', '--wait', '--wait-timeout', '60');

/** Returns the shell code block in `docs/self-hosting.md` that contains `words`. */
function commands(words: string): string {
  const found = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, text = '']) => text)
    .filter((text) => text.includes(words));
  assert.equal(found.length, 1, `docs/self-hosting.md must have one shell block with "${words}".`);
  return found[0] as string;
}

/** Builds the image for compose.yaml from this folder. */
function buildImage(): void {
  // Uses the host's network, because otherwise some Docker engines cannot reach the package registry.
  execFileSync('docker', ['build', '--quiet', '--network=host', '--tag=terse', '.'], { stdio: 'pipe' });
}

/** Links that must work. */
const made: { shortUrl: string; url: string }[] = [];
let apiKey = '';
let count = 0;

/** Creates a link through Caddy. */
function make(): void {
  count += 1;
  const url = `https://example.com/${count}`;
  const request = ['--fail-with-body', '--header', `X-API-Key: ${apiKey}`, '--json', JSON.stringify({ url })];
  const { shortUrl } = JSON.parse(curl(...request, 'https://links.localhost/api/shorten'));
  assert.ok(shortUrl.startsWith('https://short.localhost/'), shortUrl);
  made.push({ shortUrl, url });
}

/** Returns the status and the destination of a short URL. */
const follow = (shortUrl = '') =>
  curl('--output', '/dev/null', '--write-out', '%{http_code} %{redirect_url}', shortUrl);

function allResolve(): void {
  for (const { shortUrl, url } of made) assert.equal(follow(shortUrl), `302 ${url}`);
}

/** Checks that the last link is missing, and that all others work. */
function lastIsMissing(): void {
  const last = made.pop();
  allResolve();
  assert.equal(follow(last?.shortUrl), '404 ');
}

/** Connects to Caddy's local port without DNS, and accepts Caddy's self-signed certificate. */
function curl(...args: string[]): string {
  const options = ['--silent', '--insecure', '--connect-to', `::127.0.0.1:${PORT}`];
  return execFileSync('curl', [...options, ...args], { encoding: 'utf8' });
}

function main(): void {
  console.log('first start');
  buildImage();
  healthy();
  assert.match(compose('logs', 'terse'), /Open this link to /);
  apiKey = compose('exec', 'terse', 'node', 'backend/src/main.ts', 'keys', 'create', '--name', 'check').trim();
  make();
  allResolve();

  console.log('unprivileged user and read-only file system');
  assert.equal(compose('exec', 'terse', 'id', '-u').trim(), '1000');
  assert.throws(() => compose('exec', 'terse', 'touch', '/app/new'), /Read-only file system/);
  assert.match(compose('exec', 'terse', 'cat', '/proc/1/status'), /^CapEff:\s*0+$/m);

  console.log('backup and upgrade');
  sh(commands('backup /data/backup.db'));
  buildImage();
  compose('up', '--detach', '--no-build', '--force-recreate');
  healthy();
  allResolve();
  make();
  allResolve();

  console.log('restore');
  sh(commands('node backend/src/main.ts restore'));
  healthy();
  lastIsMissing();

  console.log('move to PostgreSQL');
  Object.assign(environment, { COMPOSE_PROFILES: 'postgres', POSTGRES_PASSWORD: PASSWORD });
  const [moving = '', serving = ''] = commands('run --rm terse move').split(/^# then .*\n/m);
  sh(moving.replace('terse:PASSWORD@', `terse:${PASSWORD}@`));
  Object.assign(environment, ON_POSTGRES);
  sh(serving.replace('up -d', 'up -d --no-build'));
  healthy();
  allResolve();

  console.log('PostgreSQL dump and restore');
  const [dump = '', restore = ''] = commands('pg_dump --username').split(/^(?=docker compose stop)/m);
  sh(dump);
  make();
  sh(restore);
  healthy();
  lastIsMissing();

  console.log('stop');
  compose('stop', 'terse');
  // Exit code 137 would mean that Docker killed the service because it did not stop in time.
  assert.equal(compose('ps', '--all', '--format', '{{.ExitCode}}', 'terse').trim(), '0');
  assert.match(compose('logs', '--no-log-prefix', 'terse'), /"message":"stopped"/);
}

try {
  compose('version');
} catch (error) {
  throw new Error('This check requires Docker 25 or later with Compose 2.24 or later.', { cause: error });
}
try {
  main();
} catch (error) {
  console.error(compose('logs', '--tail', '30'));
  throw error;
} finally {
  Object.assign(environment, { COMPOSE_PROFILES: 'postgres' });
  compose('down', '--volumes', '--timeout', '1');
  rmSync(folder, { recursive: true });
}
