// Plays histories of accidents (losses, deaths, clocks, limits) against the queue and the background for as long as it
// is told to, each round from a seed of its own. A failure says which seed it was and how to play it again.
//
//   TERSE_TORTURE_MINUTES  how long to go on; 5 unless told. The round that is on is finished
//   TERSE_PROPERTY_RUNS    how many histories a property is tried on in each round; 5000 unless told
//   TERSE_SEED             plays this seed, once
import { randomInt } from 'node:crypto';
import { run } from './test/run.ts';

const FILES = ['test/unit/queue/life-of-a-request', 'test/unit/integration'];

const minutes = atLeast(0, 'TERSE_TORTURE_MINUTES', 5);
const runs = atLeast(1, 'TERSE_PROPERTY_RUNS', 5_000);
const { TERSE_SEED: givenSeed } = process.env;
const until = performance.now() + minutes * 60_000;

let rounds = 0;
do {
  const seed = givenSeed ?? String(randomInt(2 ** 31));
  rounds += 1;
  const left = Math.max(0, (until - performance.now()) / 60_000).toFixed(1);
  console.log(`Round ${rounds}: seed ${seed}, ${runs} runs a property, ${left} min left`);
  if (!round(seed)) {
    console.error(`Failed in round ${rounds}. Again: TERSE_SEED=${seed} TERSE_PROPERTY_RUNS=${runs} npm run torture`);
    process.exit(1);
  }
} while (givenSeed === undefined && performance.now() < until);
console.log(`${rounds} rounds, no failure.`);

function round(seed: string): boolean {
  process.env.TERSE_SEED = seed;
  process.env.TERSE_PROPERTY_RUNS = String(runs);
  return run('vitest', 'run', '--project=extension', '--reporter=dot', '--testTimeout=0', ...FILES);
}

/** A number from the environment. Anything else ends the program with a sentence. */
function atLeast(least: number, name: string, otherwise: number): number {
  const text = process.env[name] ?? String(otherwise);
  const value = Number(text);
  if (text.trim() !== '' && value >= least) return value;
  console.error(`${name} must be a number, at least ${least}; it is "${text}".`);
  process.exit(1);
}
