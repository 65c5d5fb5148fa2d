/** How many tests, or checks that count as one, went which way. */
export interface Count {
  passed: number;
  failed: number;
}

export const NOTHING: Count = { passed: 0, failed: 0 };
export const ONE_PASSED: Count = { passed: 1, failed: 0 };
export const ONE_FAILED: Count = { passed: 0, failed: 1 };

export function add(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}
