/** Results of tests. A command, such as a linter, counts as one test. */
export interface Count {
  passed: number;
  failed: number;
  failures: string[];
  /** Durations of the test files, by path. */
  seconds: Record<string, number>;
}

export const NOTHING: Count = { passed: 0, failed: 0, failures: [], seconds: {} };
export const ONE_PASSED: Count = { passed: 1, failed: 0, failures: [], seconds: {} };
export const ONE_FAILED: Count = { passed: 0, failed: 1, failures: [], seconds: {} };

export function add(one: Count, other: Count): Count {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: [...one.failures, ...other.failures],
    seconds: { ...one.seconds, ...other.seconds },
  };
}

/** Returns a line for each of the slowest files, slowest first. */
export function slowestFiles({ seconds }: Count, maximum: number): string[] {
  const slowest = Object.entries(seconds).sort(([, one], [, other]) => other - one);
  return slowest.slice(0, maximum).map(([path, duration]) => `${duration.toFixed(1).padStart(6)} s  ${path}`);
}
