import { expect, test } from 'vitest';
import { countReport, type VitestReport } from '../../../scripts/test/vitest-report.ts';

type File = VitestReport['testResults'][number];

const file = (status: File['status'], ...statuses: string[]): File => ({
  name: 'a.test.ts',
  status,
  assertionResults: statuses.map((status) => ({ status, fullName: `a ${status} test` })),
});
const counted = (success: boolean, ...testResults: File[]) => countReport({ success, testResults }).count;

test('passed and failed tests are counted over all files', () => {
  const count = counted(false, file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'));
  expect(count).toEqual({ passed: 3, failed: 1 });
});

test.each(['skipped', 'todo', 'pending', 'disabled'])('a %s test counts as failed and is named', (status) => {
  const { count, complaints } = countReport({ success: true, testResults: [file('passed', 'passed', status)] });
  expect(count).toEqual({ passed: 1, failed: 1 });
  expect(complaints).toEqual([expect.stringContaining(`a ${status} test`)]);
});

test('a file that could not be loaded, or whose hooks failed, counts as a failed test', () => {
  expect(counted(false, file('failed'))).toEqual({ passed: 0, failed: 1 });
  expect(counted(false, file('failed', 'passed'))).toEqual({ passed: 1, failed: 1 });
});

test('a run that failed beside its tests has a failed test', () => {
  expect(counted(false, file('passed', 'passed'))).toEqual({ passed: 1, failed: 1 });
});

test('a run without any test is a failed one', () => {
  expect(counted(true)).toEqual({ passed: 0, failed: 1 });
});
