import type { Findings, RandomTest } from './random-tests.ts';

/** A failed run of a random test. */
export interface Failure {
  test: string;
  seed: number;
  broken: string[];
}

export interface Result {
  runs: Map<string, number>;
  failures: Failure[];
}

export interface RunOptions {
  /**
   * Seed with which each random test runs once. If null, the tests run repeatedly with new seeds until `isOver`
   * returns true.
   */
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

interface Turn {
  test: RandomTest;
  seconds: number;
  runs: number;
  failures: number;
}

/** Runs the random tests for equal amounts of time, and continues after a failure. */
export async function runRandomTests(
  tests: RandomTest[],
  { seed, isOver, nextSeed, printLine }: RunOptions,
): Promise<Result> {
  const turns: Turn[] = tests.map((test) => ({ test, seconds: 0, runs: 0, failures: 0 }));
  const failures: Failure[] = [];
  const runNext = async (turn: Turn, from: number) => {
    const broken = await runOne(turn, from, printLine);
    if (broken.length > 0) failures.push({ test: turn.test.name, seed: from, broken });
  };
  if (seed !== null) {
    for (const turn of turns) await runNext(turn, seed);
  } else {
    do {
      const left = turns.filter((turn) => turn.failures < MAX_FAILURES);
      const [turn] = left.toSorted((one, other) => one.seconds - other.seconds);
      if (!turn) break;
      await runNext(turn, nextSeed());
    } while (!isOver());
  }
  return { runs: new Map(turns.map(({ test, runs }) => [test.name, runs])), failures };
}

async function runOne(turn: Turn, seed: number, printLine: RunOptions['printLine']): Promise<string[]> {
  const started = performance.now();
  const { broken, summary } = await turn.test.run(seed).catch(unfinished);
  const took = (performance.now() - started) / 1000;
  turn.seconds += took;
  turn.runs += 1;
  if (broken.length > 0) turn.failures += 1;
  const verdict = broken.length === 0 ? 'passed' : 'FAILED';
  printLine(`${verdict} ${turn.test.name}, seed ${seed}, ${took.toFixed(0)} s: ${summary}`);
  return broken;
}

function unfinished(error: Error): Findings {
  return { broken: [error.stack ?? String(error)], summary: 'stopped by an error' };
}
