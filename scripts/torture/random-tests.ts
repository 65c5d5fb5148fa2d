import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  failOver,
  LOSSES,
  replaceStandby,
  startCluster,
  startLoad,
} from '../../backend/test/support/cluster/cluster.ts';
import { checkHistory } from '../check-request-history.ts';
import { kills } from './kill-processes/index.ts';
import { chanceFrom } from './random-choices.ts';
import { type RunOptions, recordRun } from './service-faults/record-run.ts';

/** A test that makes random choices to find unknown bugs. Each run uses a new seed. */
export interface RandomTest {
  /** Name of the test, for the option `--test`. */
  name: string;
  /**
   * Runs the test once. The seed determines all random choices.
   *
   * @throws if the run could not be completed
   */
  run(seed: number): Promise<Findings>;
}

export interface Findings {
  /** One message for each problem that the run found. Empty if the run passed. */
  broken: string[];
  summary: string;
}

/**
 * Returns all random tests. To add one, create a module in this folder and add it to this list.
 *
 * @param file file for the calls to the service, or null. If given, returns only the tests that record their calls.
 */
export function randomTests(file: string | null): RandomTest[] {
  const recorded = [serviceFaults('sqlite', file), serviceFaults('postgres', file)];
  if (file !== null) return recorded;
  return [properties, simulations, failovers, kills('chromium'), kills('firefox'), ...recorded];
}

/** Number of faults in each run of a service. */
const FAULTS = 30;

/**
 * Returns a random test that kills, suspends and stops the service under load, sets its clock and loses responses.
 * The history checker then decides if the service kept its promises.
 *
 * @param file file to which the histories are appended, or null
 */
function serviceFaults(database: RunOptions['database'], file: string | null): RandomTest {
  return {
    name: `service-${database}`,
    async run(seed) {
      const { violations, summary } = checkHistory(await recordRun({ database, seed, faults: FAULTS, file }));
      // The summary omits the database and the seed, because the caller already prints them.
      return { broken: violations, summary: summary.join('').replace(/^Run .*?: /, '') };
    },
  };
}

/** Number of failovers per run. */
const FAILOVERS = 3;

/**
 * Tests the cluster setup in deploy/cluster under load. The primary machine fails in a random way, Patroni replaces it,
 * and the failed machine comes back as a standby.
 */
const failovers: RandomTest = {
  name: 'failover',
  async run(seed) {
    const chance = chanceFrom(seed);
    const cluster = await startCluster(2);
    try {
      const load = await startLoad(cluster, seed, chance);
      const faults: string[] = [];
      for (let times = 0; times < FAILOVERS; times += 1) {
        await sleep(chance.between(0, 2000));
        if (chance.next() < 0.3) {
          await replaceStandby(cluster, load);
          faults.push('standby replaced');
        }
        const loss = chance.pick(LOSSES);
        await failOver(cluster, load, loss);
        faults.push(loss);
      }
      const { broken, summary } = await load.end();
      return { broken, summary: [...faults, summary].join('; ') };
    } finally {
      await cluster.stop();
    }
  },
};

const TESTS = '{contract,backend,test}/**/*.{test,suite}.{ts,tsx}';
const SIMULATION = 'test/unit/integration/simulation.test.ts';

const { TERSE_PROPERTY_RUNS: RUNS = '500' } = process.env;

/** Runs all property tests of the repository. */
const properties: RandomTest = {
  name: 'properties',
  async run(seed) {
    const files = propertyTests();
    const environment = { TERSE_SEED: String(seed), TERSE_PROPERTY_RUNS: RUNS };
    const broken = await runVitest(files, ['contract', 'backend', 'extension*'], environment);
    return { broken, summary: `${files.length} files, ${RUNS} runs per property` };
  },
};

/**
 * Simulates the real queue and the real service in virtual time. Each run uses five consecutive seeds, starting with
 * the seed of the run.
 */
const simulations: RandomTest = {
  name: 'simulation',
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
  return withProperties.map((file) => file.replace(/\/[^/]*\.suite\.ts$/, '')).sort();
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
