import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Count, ONE_FAILED, ONE_PASSED } from './count.ts';
import { countReport } from './vitest-report.ts';

/** Runs a command from node_modules/.bin and shows its output. Returns true if the command succeeded. */
export function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** Runs commands from node_modules/.bin at the same time. All commands together count as one test. */
export async function check(...commands: string[][]): Promise<Count> {
  const ended = commands.map(([command = '', ...args]) =>
    once(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit'),
  );
  const results = await Promise.allSettled(ended);
  return results.every((one) => one.status === 'fulfilled' && one.value[0] === 0) ? ONE_PASSED : ONE_FAILED;
}

export function vitest(projects: string[], ...args: string[]): Count {
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
    console.log(`The tests left no report, which counts as a failed one: ${error}`);
    return ONE_FAILED;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
