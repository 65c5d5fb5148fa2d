import { relative } from 'node:path';

/** Fields of Vitest's JSON report that this module reads. */
export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    /** Times in milliseconds since 1970. */
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/**
 * Counts the passed tests of a run and names the others. A skipped test, a file that could not be loaded and an error
 * outside of the tests count as failures.
 */
export function countTests({ success, testResults }: VitestReport): { passed: number; failures: string[] } {
  const failures: string[] = [];
  let passed = 0;
  for (const { name, status, assertionResults } of testResults) {
    const others = assertionResults.filter((test) => test.status !== 'passed');
    passed += assertionResults.length - others.length;
    failures.push(...others.map((test) => `${test.status}: ${test.fullName}, in ${name}`));
    if (status === 'failed' && others.length === 0) failures.push(`failed outside its tests: ${name}`);
  }
  if (failures.length === 0 && !(success && passed > 0)) failures.push('failed outside all tests, or ran none');
  return { passed, failures };
}

/** Returns a line for each of the slowest files, slowest first. */
export function slowestFiles({ testResults }: VitestReport, maximum: number): string[] {
  const duration = (file: VitestReport['testResults'][number]) => (file.endTime - file.startTime) / 1000;
  const slowest = testResults.toSorted((one, other) => duration(other) - duration(one)).slice(0, maximum);
  return slowest.map((file) => `${duration(file).toFixed(1).padStart(6)} s  ${relative('', file.name)}`);
}
