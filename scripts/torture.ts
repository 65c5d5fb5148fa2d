// Searches for failures that the tests do not find: runs every random test in scripts/torture with new seeds until the
// time is up. Prints each failure with the command that reproduces it.
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type RandomTest, randomTests } from './torture/random-tests.ts';

const USAGE = `npm run torture -- [options]

  --minutes N               minutes to run (default: 5). A run that is in progress at the end is completed
  --test NAME               run only this random test
  --record FILE             write every call to the service into a new file, for npm run check-history
  TERSE_SEED=N              run each random test once with this seed
  TERSE_PROPERTY_RUNS=N     random runs per property test (default: 500)`;

const { minutes, seed, tests } = readOptions();
const until = performance.now() + minutes * 60_000;
let failures = 0;
do {
  for (const test of tests) {
    await runOne(test, seed ?? randomInt(2 ** 31));
    if (seed === null && performance.now() >= until) break;
  }
} while (seed === null && performance.now() < until);
console.log(failures === 0 ? 'No failures.' : `Failures: ${failures}.`);
process.exit(failures === 0 ? 0 : 1);

async function runOne({ name, run }: RandomTest, seed: number): Promise<void> {
  const started = performance.now();
  const unfinished = (error: Error) => ({ broken: [error.stack ?? String(error)], summary: 'stopped by an error' });
  const { broken, summary } = await run(seed).catch(unfinished);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${broken.length === 0 ? 'passed' : 'FAILED'} ${name}, seed ${seed}, ${seconds} s: ${summary}`);
  if (broken.length === 0) return;
  failures += 1;
  for (const sentence of broken) console.error(`       ${sentence}`);
  console.error(`To repeat: TERSE_SEED=${seed} npm run torture -- --test ${name}`);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { minutes: { type: 'string', default: '5' }, test: { type: 'string' }, record: { type: 'string' } },
    });
    const minutes = Number(values.minutes);
    const seed = process.env.TERSE_SEED === undefined ? null : Number.parseInt(process.env.TERSE_SEED, 10);
    if (!(minutes >= 0)) throw new Error(`--minutes must be a number, but is "${values.minutes}".`);
    if (Number.isNaN(seed)) throw new Error(`TERSE_SEED must be a number, but is "${process.env.TERSE_SEED}".`);
    const all = randomTests(values.record ?? null);
    const tests = all.filter(({ name }) => values.test === undefined || name === values.test);
    const names = all.map(({ name }) => name).join(', ');
    if (tests.length === 0) throw new Error(`There is no random test "${values.test}" here. There are: ${names}.`);
    if (values.record !== undefined) writeFileSync(values.record, '', { flag: 'wx' });
    return { minutes, seed, tests };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}
