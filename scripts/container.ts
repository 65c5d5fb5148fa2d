// Builds the container image, starts compose.yaml and runs the commands from docs/self-hosting.md: first start,
// backup, upgrade, restore, move to PostgreSQL, and stop. Needs a Docker engine with Compose, and takes a few
// minutes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openProject, type Project } from './container/compose-project.ts';
import { Visitor } from './container/create-and-follow-links.ts';

const GUIDE = readFileSync('docs/self-hosting.md', 'utf8');
const PASSWORD = 'letters1and2digits';
const ON_POSTGRES = {
  COMPOSE_PROFILES: 'postgres',
  POSTGRES_PASSWORD: PASSWORD,
  TERSE_DATABASE: `postgres://terse:${PASSWORD}@postgres/terse`,
};

/** Returns the shell code block in `docs/self-hosting.md` that contains `words`. */
function commands(words: string): string {
  const found = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, text = '']) => text)
    .filter((text) => text.includes(words));
  assert.equal(
    found.length,
    1,
    `docs/self-hosting.md must have one shell block with "${words}", but has ${found.length}.`,
  );
  return found[0] as string;
}

/** Builds the image for compose.yaml from this folder. */
function buildImage(): void {
  // Uses the host's network, because otherwise some Docker engines cannot reach the package registry.
  execFileSync('docker', ['build', '--quiet', '--network=host', '--tag=terse', '.'], { stdio: 'pipe' });
}

async function main(project: Project, visitor: Visitor): Promise<void> {
  const { step, sh, compose, healthy } = project;
  const made: { shortUrl: string; url: string }[] = [];
  const make = () => made.push(visitor.makeLink());
  const allResolve = () => {
    for (const { shortUrl, url } of made) assert.equal(visitor.follow(shortUrl), url);
  };

  await step('first start', async () => {
    buildImage();
    compose('up', '--detach', '--no-build');
    await healthy();
    assert.match(compose('logs', 'terse'), /Open this link to /);
    visitor.useKey(compose('exec', 'terse', 'node', 'backend/src/main.ts', 'keys', 'create', '--name', 'check').trim());
    make();
    allResolve();
  });

  await step('unprivileged user and read-only file system', async () => {
    assert.equal(compose('exec', 'terse', 'id', '-u').trim(), '1000');
    assert.throws(() => compose('exec', 'terse', 'touch', '/app/new'), /Read-only file system/);
    assert.match(compose('exec', 'terse', 'cat', '/proc/1/status'), /^CapEff:\s*0+$/m);
  });

  await step('backup', async () => sh(commands('backup /data/backup.db')));

  await step('upgrade', async () => {
    buildImage();
    compose('up', '--detach', '--no-build', '--force-recreate');
    await healthy();
    allResolve();
    make();
    allResolve();
  });

  await step('restore', async () => {
    sh(commands('node backend/src/main.ts restore'));
    await healthy();
    const later = made.pop();
    allResolve();
    assert.equal(visitor.follow(later?.shortUrl ?? ''), null);
  });

  await step('move to PostgreSQL', async () => {
    project.set({ COMPOSE_PROFILES: ON_POSTGRES.COMPOSE_PROFILES, POSTGRES_PASSWORD: PASSWORD });
    const [moving = '', serving = ''] = commands('run --rm terse move').split(/^# then .*\n/m);
    sh(moving.replace('terse:PASSWORD@', `terse:${PASSWORD}@`));
    project.set(ON_POSTGRES);
    sh(serving.replace('up -d', 'up -d --no-build'));
    await healthy();
    allResolve();
  });

  await step('PostgreSQL dump and restore', async () => {
    const [dump = '', restore = ''] = commands('pg_dump --username').split(/^(?=docker compose stop)/m);
    sh(dump);
    make();
    sh(restore);
    await healthy();
    const later = made.pop();
    allResolve();
    assert.equal(visitor.follow(later?.shortUrl ?? ''), null);
  });

  await step('stop', async () => {
    compose('stop', 'terse');
    // Exit code 137 would mean that Docker killed the service because it did not stop in time.
    assert.equal(compose('ps', '--all', '--format', '{{.ExitCode}}', 'terse').trim(), '0');
    assert.match(compose('logs', '--no-log-prefix', 'terse'), /"message":"stopped"/);
  });
}

const project = openProject();
const visitor = new Visitor(project.port);
try {
  await main(project, visitor);
} catch (error) {
  console.error(project.compose('logs', '--tail', '30'));
  throw error;
} finally {
  project.end();
}
