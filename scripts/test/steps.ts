import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { provideBrowsers } from '../browsers/install.ts';
import { type Count, countReport, ONE_FAILED, ONE_PASSED } from './count.ts';
import { lintForMozilla } from './mozilla-lint.ts';

export interface Step {
  name: string;
  run(): Count | Promise<Count>;
}

const TYPESCRIPT_PROJECTS = ['contract', 'backend', 'src', '.'];

export const TYPES: Step = {
  name: 'types',
  run: () => check(...TYPESCRIPT_PROJECTS.map((project) => ['tsc', '-p', project])),
};
export const LINT: Step = {
  name: 'lint, format and import directions',
  run: () =>
    check(
      ['biome', 'ci', '--error-on-warnings', '.'],
      ['depcruise', 'src', 'contract/src', 'backend/src', '--config', '.dependency-cruiser.mjs'],
    ),
};
export const BUILD: Step = {
  name: 'build for Chrome and Firefox',
  run: build,
};
export const FIREFOX_LINT: Step = {
  name: "Mozilla's linter",
  run: lintForMozilla,
};
export const UNIT: Step = {
  name: 'unit and integration tests',
  run: () => vitest(['!e2e']),
};

/**
 * Tests the built extension with real browsers and the real backend. If a browser is missing, fails with
 * instructions.
 */
export const END_TO_END: Step = {
  name: 'end-to-end tests',
  run: async () => ((await hasBrowsers()) ? vitest(['e2e']) : ONE_FAILED),
};

/** Finds or installs the browsers. If a browser is still missing, prints instructions and returns false. */
export async function hasBrowsers(): Promise<boolean> {
  try {
    const { chromium, firefox } = await provideBrowsers((line) => console.log(line));
    console.log(`Chromium: ${chromium}\nFirefox:  ${firefox}\n`);
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Runs a command from node_modules/.bin and shows its output. Returns true if the command succeeded. */
export function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** Runs commands from node_modules/.bin concurrently. Together, they count as one test. */
async function check(...commands: string[][]): Promise<Count> {
  const ended = commands.map(([command = '', ...args]) =>
    once(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit'),
  );
  const results = await Promise.allSettled(ended);
  return results.every((one) => one.status === 'fulfilled' && one.value[0] === 0) ? ONE_PASSED : ONE_FAILED;
}

/** Builds the extension. Any output is a warning or an error, and fails the step. */
async function build(): Promise<Count> {
  const outputs = ['chrome', 'firefox'].map((mode) =>
    promisify(execFile)('vite', ['build', '--logLevel=warn', '--mode', mode]).then(
      ({ stdout, stderr }) => stdout + stderr,
      String,
    ),
  );
  const output = (await Promise.all(outputs)).join('');
  if (output === '') return ONE_PASSED;
  console.log(output);
  return ONE_FAILED;
}

function vitest(projects: string[], ...args: string[]): Count {
  const folder = mkdtempSync(join(tmpdir(), 'terse-report-'));
  const report = join(folder, 'report.json');
  try {
    const succeeded = run(
      'vitest',
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    );
    const { success, ...rest } = JSON.parse(readFileSync(report, 'utf8'));
    return countReport({ ...rest, success: success && succeeded });
  } catch (error) {
    console.log(`The tests wrote no report, which counts as one failed test: ${error}`);
    return ONE_FAILED;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
