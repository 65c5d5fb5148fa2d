import type { Findings, RandomTest } from './random-tests.ts';

/** A failed run of a random test. */
export interface Failure {
  test: string;
  seed: number;
  broken: string[];
}

export interface RunOptions {
  /** Seed with which each random test runs once. If null, the tests run in turn until `isOver` returns true. */
  seed: number | null;
  isOver: () => boolean;
  nextSeed: () => number;
  printLine: (line: string) => void;
}

/**
 * Number of failures after which a random test stops, because a test that always fails would only find the same
 * failure again.
 */
const MAX_FAILURES = 10;

/** Runs the random tests in turn, and continues after a failure. */
export async function runRandomTests(
  tests: RandomTest[],
  { seed, isOver, nextSeed, printLine }: RunOptions,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const isStopped = ({ name }: RandomTest) => failures.filter(({ test }) => test === name).length === MAX_FAILURES;
  for (let left = tests; left.length > 0; left = left.filter((test) => !isStopped(test))) {
    for (const test of left) {
      const from = seed ?? nextSeed();
      const broken = await runOne(test, from, printLine);
      if (broken.length > 0) failures.push({ test: test.name, seed: from, broken });
      if (seed === null && isOver()) return failures;
    }
    if (seed !== null) break;
  }
  return failures;
}

async function runOne(test: RandomTest, seed: number, printLine: RunOptions['printLine']): Promise<string[]> {
  const started = performance.now();
  const { broken, summary } = await test.run(seed).catch(unfinished);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  printLine(`${broken.length === 0 ? 'passed' : 'FAILED'} ${test.name}, seed ${seed}, ${seconds} s: ${summary}`);
  return broken;
}

function unfinished(error: Error): Findings {
  return { broken: [error.stack ?? String(error)], summary: 'stopped by an error' };
}
