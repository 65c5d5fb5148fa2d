import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { RandomTest } from './random-test.ts';

const TESTS = '{contract,backend,test}/**/*.{test,suite}.{ts,tsx}';
const PROJECTS = ['contract', 'backend', 'extension'];

/** Runs all property tests of the repository, or only those in the given folders or files. */
export function properties({ runs, only }: { runs: number; only: string[] }): RandomTest {
  const files = propertyTests().filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
  return {
    name: 'properties',
    async prepare() {},
    async run(seed) {
      const projects = PROJECTS.map((project) => `--project=${project}`);
      const child = spawn('vitest', ['run', ...projects, '--reporter=dot', '--testTimeout=0', ...files], {
        env: { ...process.env, TERSE_SEED: String(seed), TERSE_PROPERTY_RUNS: String(runs) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => output.push(text));
      const [code] = await once(child, 'close');
      const broken = code === 0 ? [] : [output.join('')];
      return { broken, summary: `${files.length} files, ${runs} runs per property` };
    },
  };
}

/**
 * Returns all files with property tests. A suite file cannot run on its own, so the result contains the folder of the
 * suite instead.
 */
function propertyTests(): string[] {
  const files = globSync(TESTS, { exclude: (name) => name.includes('node_modules') });
  const withProperties = files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
  return withProperties
    .map((file) => (file.endsWith('.suite.ts') ? file.slice(0, file.lastIndexOf('/')) : file))
    .sort();
}
