/** How many tests, or checks that count as one, went which way. */
export interface Count {
  passed: number;
  failed: number;
  /** A sentence or more for each failed test of a report: which one, and what it said. */
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
