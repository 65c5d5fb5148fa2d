/** Results of tests. A command, such as a linter, counts as one test. */
export interface Count {
  passed: number;
  failed: number;
  failures: string[];
}

export const NOTHING: Count = { passed: 0, failed: 0, failures: [] };
export const ONE_PASSED: Count = { passed: 1, failed: 0, failures: [] };
export const ONE_FAILED: Count = { passed: 0, failed: 1, failures: [] };

export function add(one: Count, other: Count): Count {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: [...one.failures, ...other.failures],
  };
}
