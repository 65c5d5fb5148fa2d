import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { RandomTest } from './random-test.ts';

const TESTS = '{contract,backend,test}/**/*.{test,suite}.{ts,tsx}';
const SIMULATION = 'test/unit/integration/simulation.test.ts';
const PROJECTS = ['contract', 'backend', 'extension*'];

/** Runs all property tests of the repository, or only those in the given folders or files. */
export function properties({ runs, only }: { runs: number; only: string[] }): RandomTest {
  const files = propertyTests().filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
  return {
    name: 'properties',
    async prepare() {},
    async run(seed) {
      const environment = { TERSE_SEED: String(seed), TERSE_PROPERTY_RUNS: String(runs) };
      return {
        broken: await runVitest(files, PROJECTS, environment),
        summary: `${files.length} files, ${runs} runs per property`,
      };
    },
  };
}

/**
 * Simulates the real queue and the real service in virtual time. Each run uses five consecutive seeds, starting with
 * the seed of the run.
 */
export const simulations: RandomTest = {
  name: 'simulation',
  async prepare() {},
  async run(seed) {
    const broken = await runVitest([SIMULATION], ['extension'], { TERSE_SEED: String(seed) });
    return { broken, summary: `seeds ${seed} to ${seed + 4}, 120 days each` };
  },
};

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

/** Runs test files in a separate process. Returns the output if a test failed, and nothing if all tests passed. */
async function runVitest(files: string[], projects: string[], environment: Record<string, string>): Promise<string[]> {
  const options = projects.map((project) => `--project=${project}`);
  const child = spawn('vitest', ['run', ...options, '--reporter=dot', '--testTimeout=0', ...files], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text));
  const [code] = await once(child, 'close');
  return code === 0 ? [] : [output.join('')];
}
