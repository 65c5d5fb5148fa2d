// Searches for failures that the tests do not find: runs every random test in scripts/torture with new seeds until the
// time is up. At the end, the script prints each failure with the command that reproduces it.
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { OptionError, readOptions, type TortureOptions, USAGE } from './torture/options.ts';
import { randomTestsFor } from './torture/random-tests.ts';
import { type Failure, runRandomTests } from './torture/run-random-tests.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const tests = randomTestsFor(options);
  if (tests.length === 0) {
    const kind = options.record === null ? 'random test' : 'random test that can be recorded';
    throw new OptionError(`There is no ${kind} with the name "${options.test}".\n\n${USAGE}`);
  }
  if (options.record !== null) createEmptyFile(options.record);
  const until = performance.now() + options.minutes * 60_000;
  const failures = await runRandomTests(tests, {
    seed: options.seed,
    isOver: () => performance.now() >= until,
    nextSeed: () => randomInt(2 ** 31),
    printLine: (line) => console.log(line),
  });
  for (const failure of failures) report(failure, options);
  console.log(failures.length === 0 ? 'No failures.' : `Failures: ${failures.length}.`);
  if (failures.length > 0) process.exitCode = 1;
}

function createEmptyFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (error) {
    throw new OptionError(`The file for the history could not be created: ${(error as Error).message}`);
  }
}

function report({ test, seed, broken }: Failure, options: TortureOptions): void {
  console.error(`\nFAILED ${test}, seed ${seed}`);
  for (const sentence of broken) console.error(`       ${sentence}`);
  console.error(`To repeat: ${again(test, seed, options)}`);
}

function again(test: string, seed: number, { runs }: TortureOptions): string {
  const environment = test === 'properties' ? `TERSE_SEED=${seed} TERSE_PROPERTY_RUNS=${runs}` : `TERSE_SEED=${seed}`;
  return [environment, 'npm run torture --', '--test', test].join(' ');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
