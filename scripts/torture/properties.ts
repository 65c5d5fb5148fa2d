import { globSync, readFileSync } from 'node:fs';
import type { RandomTest } from './random-test.ts';
import { runVitest } from './run-vitest.ts';

const TESTS = '{contract,backend,test}/**/*.{test,suite}.{ts,tsx}';
const PROJECTS = ['contract', 'backend', 'extension*'];

/** Runs all property tests of the repository, or only those in the given folders or files. */
export function properties({ runs, only }: { runs: number; only: string[] }): RandomTest {
  const files = propertyTests().filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
  return {
    name: 'properties',
    async prepare() {},
    async run(seed) {
      const environment = { TERSE_SEED: String(seed), TERSE_PROPERTY_RUNS: String(runs) };
      const output = await runVitest(files, PROJECTS, environment);
      const broken = output === null ? [] : [output];
      return { broken, summary: `${files.length} files, ${runs} runs per property` };
    },
  };
}

/**
 * Returns all test files with property tests. For a `*.suite.ts` file, returns its folder, because such a file cannot
 * run on its own.
 */
function propertyTests(): string[] {
  const files = globSync(TESTS, { exclude: (name) => name.includes('node_modules') });
  const withProperties = files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
  return withProperties
    .map((file) => (file.endsWith('.suite.ts') ? file.slice(0, file.lastIndexOf('/')) : file))
    .sort();
}
