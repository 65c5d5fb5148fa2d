import type { Count } from './count.ts';

/** Fields of Vitest's JSON report that this module reads. */
export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

/**
 * Counts the tests of a run. Skipped tests, files that could not be loaded and errors outside tests count as failed.
 *
 * The count repeats each failure's message, because Vitest prints failures thousands of lines above the end.
 */
export function countReport(report: VitestReport): Count {
  const failures: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
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
    failures.push('No test was run, which counts as a failed one.');
  } else if (!report.success && failed === 0) {
    failed++;
    failures.push('The run failed beside its tests (an unhandled error), which counts as a failed one.');
  }
  return { passed, failed, failures };
}
