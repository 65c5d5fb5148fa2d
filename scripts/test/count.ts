import { relative } from 'node:path';

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

/** Fields of Vitest's JSON report that this module reads. */
export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    /** Times in milliseconds since 1970. */
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

/**
 * Counts the tests of a run. Skipped tests, files that could not be loaded, and errors outside of tests count as
 * failed.
 *
 * The result repeats the message of each failure, because Vitest prints failures thousands of lines before the end of
 * its output.
 */
export function countReport(report: VitestReport): Count {
  const failures: string[] = [];
  const seconds: Count['seconds'] = {};
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
    seconds[relative('', file.name)] = (file.endTime - file.startTime) / 1000;
    const statuses = file.assertionResults.map(({ status }) => status);
    passed += statuses.filter((status) => status === 'passed').length;
    failed += statuses.filter((status) => status === 'failed').length;
    for (const { status, fullName, failureMessages = [] } of file.assertionResults) {
      if (status === 'passed') continue;
      if (status === 'failed') {
        failures.push(`Failed: ${fullName}, in ${file.name}\n${failureMessages.join('\n')}`);
        continue;
      }
      failed++;
      failures.push(`Not run, which counts as failed (${status}): ${fullName}, in ${file.name}`);
    }
    if (file.status === 'failed' && !statuses.includes('failed')) {
      failed++;
      failures.push(`Failed outside its tests: ${file.name}`);
    }
  }
  if (passed + failed === 0) {
    failed++;
    failures.push('No tests were run, which counts as one failed test.');
  } else if (!report.success && failed === 0) {
    failed++;
    failures.push('The run failed outside the tests (unhandled error), which counts as one failed test.');
  }
  return { passed, failed, failures, seconds };
}
