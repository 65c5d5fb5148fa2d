import type { Count } from './count.ts';

/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/**
 * Counts a run. A test that did not run (skipped, todo, left out by `only`) is a failed one, so is a file that could
 * not be loaded, and so is a run that failed beside its tests.
 *
 * @returns the count, and a sentence for each failure that vitest itself does not report as one
 */
export function countReport(report: VitestReport): { count: Count; complaints: string[] } {
  const complaints: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
    const statuses = file.assertionResults.map(({ status }) => status);
    passed += statuses.filter((status) => status === 'passed').length;
    failed += statuses.filter((status) => status === 'failed').length;
    for (const { status, fullName } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') continue;
      failed++;
      complaints.push(`Not run, which counts as failed (${status}): ${fullName}, in ${file.name}`);
    }
    if (file.status === 'failed' && !statuses.includes('failed')) {
      failed++;
      complaints.push(`Failed outside its tests: ${file.name}`);
    }
  }
  if (passed + failed === 0) {
    failed++;
    complaints.push('No test was run, which counts as a failed one.');
  } else if (!report.success && failed === 0) {
    failed++;
    complaints.push('The run failed beside its tests (an unhandled error), which counts as a failed one.');
  }
  return { count: { passed, failed }, complaints };
}
