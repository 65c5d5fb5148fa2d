// Looks for what nobody has seen yet: plays every property test of the repository, each round from a seed of its own, for as
// long as it is told to. A failure says how to play it again; once it is understood, it becomes a fixed case.
//
//   TERSE_TORTURE_MINUTES  how long to go on; 5 unless told. The round that is on is finished
//   TERSE_PROPERTY_RUNS    how many histories a property of the queues is tried on in each round; 2000 unless told
//   TERSE_SEED             plays this seed, once
//   … npm run torture -- test/unit/queue   plays the property tests of these folders or files alone
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { run } from './test/run.ts';

const TESTS = '{contract,backend,test}/**/*.{test,suite}.{ts,tsx}';
const PROJECTS = ['contract', 'backend', 'extension'];

const [, , ...only] = process.argv;
const files = propertyTests().filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
const minutes = atLeast(0, 'TERSE_TORTURE_MINUTES', 5);
const runs = atLeast(1, 'TERSE_PROPERTY_RUNS', 2_000);
const { TERSE_SEED: givenSeed } = process.env;
const until = performance.now() + minutes * 60_000;

let rounds = 0;
do {
  const seed = givenSeed ?? String(randomInt(2 ** 31));
  rounds += 1;
  const left = Math.max(0, (until - performance.now()) / 60_000).toFixed(1);
  console.log(`Round ${rounds}: seed ${seed}, ${runs} runs a property, ${files.length} files, ${left} min left`);
  if (!round(seed)) {
    const again = ['npm run torture', ...(only.length > 0 ? ['--', ...only] : [])].join(' ');
    console.error(`Failed in round ${rounds}. Again: TERSE_SEED=${seed} TERSE_PROPERTY_RUNS=${runs} ${again}`);
    process.exit(1);
  }
} while (givenSeed === undefined && performance.now() < until);
console.log(`${rounds} rounds, no failure.`);

function round(seed: string): boolean {
  process.env.TERSE_SEED = seed;
  process.env.TERSE_PROPERTY_RUNS = String(runs);
  return run(
    'vitest',
    'run',
    ...PROJECTS.map((project) => `--project=${project}`),
    '--reporter=dot',
    '--testTimeout=0',
    ...files,
  );
}

/** Every test file with a property. A suite stands for the tests that share it, which lie beside it. */
function propertyTests(): string[] {
  const files = globSync(TESTS, { exclude: (name) => name.includes('node_modules') });
  const properties = files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
  return properties.map((file) => (file.endsWith('.suite.ts') ? file.slice(0, file.lastIndexOf('/')) : file)).sort();
}

/** A number from the environment. Anything else ends the program with a sentence. */
function atLeast(least: number, name: string, otherwise: number): number {
  const text = process.env[name] ?? String(otherwise);
  const value = Number(text);
  if (text.trim() !== '' && value >= least) return value;
  console.error(`${name} must be a number, at least ${least}; it is "${text}".`);
  process.exit(1);
}
